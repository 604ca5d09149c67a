package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appends to rows that SQL has damaged or that a trigger protects, and overwrites of such rows. */
class DamagedPieceIT {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "data = data || '\\x00'",
        "data = data || data",
        "data = substring(data FROM 2)",
        "data = ''",
        "start = start + 1",
        "slot = 7"
      })
  void append_afterADamagedPiece_isRefusedAndNothingChanges(String damage) throws Exception {
    Setting setting = new Setting(PostgresServers.newest(), true);
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      Object key = fx.row(fx.content(1, 8_100));
      fx.own().append(key, fx.content(2, 1_900));
      fx.own().append(key, fx.content(2, 1_500));
      assertThat(fx.number("SELECT count(*) FROM " + fx.table("piece"))).isEqualTo(2);
      fx.run("UPDATE " + fx.table("piece") + " SET " + damage + " WHERE slot = 1");
      String head = "SELECT h::text FROM " + fx.table("head") + " h";
      String before = fx.string(head);
      Expect.refused(BlobCorruptException.class, () -> fx.own().append(key, fx.content(3, 9_000)));
      assertThat(fx.string(head)).isEqualTo(before);
      assertThat(fx.number("SELECT count(*) FROM " + fx.table("chunk"))).isOne();
    }
  }

  @Test
  void overwrite_suppressedByATrigger_isRefusedAndNothingChanges() throws Exception {
    Setting setting = new Setting(PostgresServers.newest(), true);
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      byte[] content = fx.content(1, 600_000);
      Object key = fx.row(content);
      fx.run(
          "CREATE FUNCTION suppress() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
          "CREATE TRIGGER suppress BEFORE UPDATE ON "
              + fx.table("chunk")
              + " FOR EACH ROW EXECUTE FUNCTION suppress()");
      // The routine of the store writes content of the first size; batches write content of the
      // second size.
      for (int count : new int[] {50_000, 300_000}) {
        Expect.refused(
            BlobCorruptException.class, () -> fx.own().write(key, 10, fx.content(2, count)));
        fx.assertContent(key, content);
      }
    }
  }
}
