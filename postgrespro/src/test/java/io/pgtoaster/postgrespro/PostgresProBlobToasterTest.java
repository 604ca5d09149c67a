package io.pgtoaster.postgrespro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobVtable;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresProBlobToasterTest {
  private static final RowKey KEY = new RowKey(List.of("42"));
  private static final String COUNTED =
      "pg_catalog.octet_length(substring(o.\"content\" FROM 1 FOR 1988) || substring(o.\"content\""
          + " FROM 1989))";
  private static final String LENGTH =
      "CASE WHEN o.\"content\" IS NOT NULL THEN coalesce(o.\"pgtoaster_7_length\", "
          + COUNTED
          + ") END";
  private static final String ITEM = "\"public\".\"item\" AS o";
  private static final String ROW =
      " WHERE o.\"id\" OPERATOR(pg_catalog.=) CAST(? AS \"pg_catalog\".\"int8\")";

  private final PostgresProBlobToaster toaster = new PostgresProBlobToaster();
  private final ScriptedConnection server =
      ScriptedConnection.withToaster()
          .answer("current_setting('pgtoaster.postgrespro', true)", true)
          .answer("c.relkind", "item", "r", "bytea")
          .answer("pgtoaster.add_column(", 7)
          .answer("a.store, a.toaster", 7, "postgrespro-bytea");

  private static AttachedColumn column(String type) {
    return ScriptedConnection.column("content", type, "postgrespro-bytea");
  }

  private static AppendRequest request(int count) {
    return new AppendRequest(new byte[count], 0, count, null, null, null);
  }

  private BlobVtable vtable() {
    return toaster.vtable(column("bytea"));
  }

  @Test
  void attach_setsTheServersToaster_andStoresTheLength() throws Exception {
    server.answer("pg_replication_slots", true);
    assertThat(toaster.attach(server.get(), 1, "content", Map.of())).isEqualTo(7);
    assertThat(server.sent().stream().filter(sql -> !sql.startsWith("SELECT")))
        .containsExactly(
            "ALTER TABLE item ALTER COLUMN \"content\" SET STORAGE EXTERNAL",
            "ALTER TABLE item ALTER COLUMN \"content\" SET COMPRESSION default",
            "ALTER TABLE item ALTER COLUMN \"content\" SET TOASTER bytea_toaster",
            "ALTER TABLE item ADD COLUMN pgtoaster_7_length bigint",
            "CREATE FUNCTION pgtoaster.store_7_update() RETURNS trigger LANGUAGE plpgsql"
                + " SET search_path = pg_catalog, pg_temp"
                + " AS $$ BEGIN NEW.pgtoaster_7_length := NULL; RETURN NEW; END $$",
            "CREATE TRIGGER pgtoaster_7_update BEFORE UPDATE OF \"content\" ON item FOR EACH ROW"
                + " WHEN (NEW.pgtoaster_7_length IS NOT DISTINCT FROM OLD.pgtoaster_7_length)"
                + " EXECUTE FUNCTION pgtoaster.store_7_update()");
  }

  @Test
  void attach_isDisabledByDefault() {
    ScriptedConnection off =
        new ScriptedConnection().answer("current_setting('pgtoaster.postgrespro', true)", false);
    assertThatThrownBy(() -> toaster.attach(off.get(), 1, "content", Map.of()))
        .isInstanceOf(UnsupportedCapabilityException.class)
        .hasMessageContaining("SET pgtoaster.postgrespro = on");
    assertThat(off.sent()).hasSize(1);
  }

  @Test
  void attach_whileALogicalSlotExists_isRefused() {
    server.answer("pg_replication_slots", false);
    assertThatThrownBy(() -> toaster.attach(server.get(), 1, "content", Map.of()))
        .isInstanceOf(UnsupportedCapabilityException.class)
        .hasMessageContaining("logical replication slot");
    assertThat(server.sent()).noneMatch(sql -> !sql.startsWith("SELECT"));
  }

  @Test
  void detach_makesTheColumnOrdinary() throws Exception {
    toaster.detach(server.get(), 1, "content", false);
    assertThat(server.sent().stream().filter(sql -> !sql.matches("(SELECT|WITH) .*")))
        .containsExactly(
            "DROP TRIGGER IF EXISTS pgtoaster_7_update ON item",
            "DROP FUNCTION IF EXISTS pgtoaster.store_7_update()",
            "ALTER TABLE item DROP COLUMN IF EXISTS pgtoaster_7_length",
            "ALTER TABLE item ALTER COLUMN \"content\" SET TOASTER deftoaster",
            "UPDATE item SET \"content\" = substring(\"content\" FROM 1)"
                + " WHERE \"content\" IS NOT NULL");
    assertThat(server.last()).contains("pgtoaster.detach(");
  }

  @Test
  void smallAppend_isOneStatement_thatChecksSlotsAndRoom() throws Exception {
    server.answer("UPDATE", 105L);
    assertThat(vtable().tryAppend(server.get(), KEY, request(5)))
        .isEqualTo(new AppendResult(100, 5, false));
    assertThat(server.last())
        .isEqualTo(
            "UPDATE "
                + ITEM
                + " SET \"content\" = coalesce(o.\"content\", '') || p.bytes,"
                + " \"pgtoaster_7_length\" = coalesce("
                + LENGTH
                + ", 0) + pg_catalog.octet_length(p.bytes)"
                + " FROM (VALUES (CAST(? AS bytea))) p(bytes)"
                + ROW
                + " AND coalesce("
                + LENGTH
                + ", 0) <= ?"
                + " AND (CAST(? AS bigint) IS NULL OR coalesce("
                + LENGTH
                + ", 0) = ?)"
                + " AND NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots l"
                + " WHERE l.slot_type = 'logical')"
                + " RETURNING "
                + LENGTH);
    assertThat(server.parametersOf("UPDATE")).contains("42", "999999995");
  }

  @Test
  void append_beyondOneBillionBytes_isRefused() {
    server
        .answer("pg_replication_slots", true)
        .answer("FOR NO KEY UPDATE", PostgresProBlobToaster.MAX_LENGTH - 4);
    assertThatThrownBy(() -> vtable().append(server.get(), KEY, request(5)))
        .isInstanceOf(InvalidOffsetException.class)
        .hasMessageContaining("has at most 1000000000 bytes");
    AppendRequest stream =
        new AppendRequest(new byte[3], 0, 3, new ByteArrayInputStream(new byte[2]), null, null);
    assertThatThrownBy(() -> vtable().append(server.get(), KEY, stream))
        .isInstanceOf(InvalidOffsetException.class);
    assertThat(server.sent()).noneMatch(sql -> sql.startsWith("UPDATE"));
  }

  @Test
  void append_ofNothing_keepsTheStoredLength() throws Exception {
    server.answer("pg_replication_slots", true).answer("FOR NO KEY UPDATE", 100L);
    assertThat(vtable().tryAppend(server.get(), KEY, request(0))).isNull();
    assertThat(vtable().append(server.get(), KEY, request(0)))
        .isEqualTo(new AppendResult(100, 0, false));
    assertThat(server.sent()).noneMatch(sql -> sql.startsWith("UPDATE"));
  }

  @Test
  void length_isTheStoredLength() throws Exception {
    server.answer("SELECT CASE", 100L);
    assertThat(vtable().pin(server.get(), KEY).length()).isEqualTo(100);
    assertThat(server.last()).isEqualTo("SELECT " + LENGTH + " FROM " + ITEM + ROW);
  }

  @Test
  void read_neverReadsFirstAndLastChunkTogether() throws Exception {
    server.answer("substring", (Object) new byte[10]);
    BlobVtable vtable = vtable();
    String part = "substring(o.\"content\" FROM ? FOR ?)";
    vtable.tryRead(server.get(), KEY, 0, 5000);
    assertThat(server.last()).isEqualTo("SELECT " + part + " || " + part + " FROM " + ITEM + ROW);
    assertThat(server.parametersOf(" || ")).containsExactly("1", "1988", "1989", "3012", "42");
    vtable.tryRead(server.get(), KEY, 100, 1888);
    assertThat(server.last()).isEqualTo("SELECT " + part + " FROM " + ITEM + ROW);
    assertThat(server.parametersOf("SELECT " + part + " FROM"))
        .containsExactly("101", "1888", "42");
    vtable.tryRead(server.get(), KEY, 1988, 100_000);
    assertThat(server.parametersOf("SELECT " + part + " FROM"))
        .containsExactly("1989", "100000", "42");
  }

  @Test
  void overwrite_thenSetsTheStoredLength() throws Exception {
    server
        .answer("pg_replication_slots", true)
        .answer("FOR NO KEY UPDATE", 100L)
        .answer("substring", 100L);
    vtable().write(server.get(), KEY, 98, new byte[5]);
    assertThat(server.last())
        .isEqualTo("UPDATE " + ITEM + " SET \"pgtoaster_7_length\" = CAST(? AS bigint)" + ROW);
    assertThat(server.parametersOf("UPDATE")).containsExactly("103", "42");
    vtable().truncate(server.get(), KEY, 7);
    assertThat(server.parametersOf("UPDATE")).containsExactly("7", "42");
  }

  @Test
  void verify_comparesTheStoredLengthWithTheContent() throws Exception {
    server.answer(", pg_catalog.octet_length(", 100L, 103L).answer("SELECT CASE", 100L);
    assertThat(vtable().verify(server.get(), KEY))
        .containsExactly("there are 103 bytes, but the stored length is 100");
  }

  @Test
  void otherTypes_areRefused() {
    assertThatThrownBy(() -> toaster.vtable(column("text")))
        .isInstanceOf(ColumnNotFoundException.class);
  }
}
