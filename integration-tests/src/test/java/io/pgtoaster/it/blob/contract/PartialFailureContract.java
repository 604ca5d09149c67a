package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/** Calls that fail after they have written leave nothing behind, even if the caller commits. */
interface PartialFailureContract extends Contract {
  private String lastChunk(Object key) {
    return " WHERE (blob_id, start) = (SELECT blob_id, max(start) FROM %s WHERE blob_id = %d GROUP BY blob_id)"
        .formatted(fx().table("chunk"), fx().handle(key));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_500_000})
  default void write_thatMeetsAMissingChunk_changesNothing(int begin) throws Exception {
    byte[] content = fx().content(1, 2_000_000);
    Object key = fx().row(content);
    long stored = fx().storedRows(fx().handle(key));
    fx().run("DELETE FROM " + fx().table("chunk") + lastChunk(key));
    byte[] bytes = fx().content(2, content.length - begin);
    Connection connection = fx().begin();
    Expect.refused(BlobCorruptException.class, () -> fx().on(connection).write(key, begin, bytes));
    connection.commit();
    Expect.refused(BlobCorruptException.class, () -> fx().own().write(key, begin, bytes));
    assertThat(fx().own().read(key, 0, 1_900_000)).isEqualTo(Bytes.slice(content, 0, 1_900_000));
    assertThat(fx().own().info(key).orElseThrow().generation()).isZero();
    assertThat(fx().storedRows(fx().handle(key))).isEqualTo(stored - 1);
  }

  @Test
  default void append_thatFailsUnderAutosave_leavesNothingForTheCallerToCommit()
      throws SQLException {
    byte[] content = fx().content(1, 700);
    Object key = fx().row(content);
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    fx().run(
            "ALTER TABLE %s ADD CONSTRAINT short CHECK (id <> %d OR base <= 700)"
                .formatted(fx().table("head"), fx().handle(key)));
    try {
      Connection connection = fx().begin();
      connection.unwrap(PGConnection.class).setAutosave(AutoSave.ALWAYS);
      for (AppendOptions options :
          new AppendOptions[] {
            AppendOptions.defaults(), AppendOptions.defaults().withToken(token)
          }) {
        Expect.refused(
            DatabaseException.class,
            () -> fx().on(connection).append(key, fx().content(2, 60_000), options));
      }
      connection.commit();
    } finally {
      fx().run("ALTER TABLE " + fx().table("head") + " DROP CONSTRAINT short");
    }
    fx().assertContent(key, content);
    fx().own().append(key, fx().content(2, 60_000), AppendOptions.defaults().withToken(token));
    fx().assertContent(key, Bytes.concat(content, fx().content(2, 60_000)));
  }
}
