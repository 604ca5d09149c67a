package io.pgtoaster.postgrespro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonVtable;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PostgresProJsonToasterTest {
  private static final RowKey KEY = new RowKey(List.of("42"));
  private static final JsonEdit SET =
      new JsonEdit.Set(DocumentPath.of("a.b"), Json.readTree("5"), true);

  private final PostgresProJsonToaster toaster = new PostgresProJsonToaster();
  private final ScriptedConnection server =
      ScriptedConnection.withToaster()
          .answer("current_setting('pgtoaster.postgrespro', true)", true)
          .answer("c.relkind", "item", "r", "jsonb")
          .answer("pgtoaster.add_column(", 7);

  private static AttachedColumn column(String type) {
    return ScriptedConnection.column("doc", type, "postgrespro-jsonb");
  }

  private JsonVtable vtable() {
    return toaster.vtable(column("jsonb"));
  }

  @Test
  void attach_setsTheServersToaster() throws Exception {
    server.answer("pg_replication_slots", true);
    assertThat(toaster.attach(server.get(), 1, "doc", Map.of())).isEqualTo(7);
    assertThat(server.last())
        .isEqualTo("ALTER TABLE item ALTER COLUMN \"doc\" SET TOASTER jsonb_toaster");
  }

  @Test
  void attach_ofAnotherType_isRefused() {
    ScriptedConnection other =
        new ScriptedConnection()
            .answer("current_setting", true)
            .answer("to_regclass", true)
            .answer("t.tsrname", true)
            .answer("pg_replication_slots", true)
            .answer("c.relkind", "item", "r", "bytea");
    assertThatThrownBy(() -> toaster.attach(other.get(), 1, "doc", Map.of()))
        .isInstanceOf(ColumnNotFoundException.class)
        .hasMessageContaining("type jsonb");
    assertThatThrownBy(() -> toaster.vtable(column("bytea")))
        .isInstanceOf(ColumnNotFoundException.class);
  }

  @Test
  void detach_rewritesDocumentsAsOrdinaryValues() throws Exception {
    toaster.detach(server.get(), 1, "doc", false);
    assertThat(server.sent())
        .contains(
            "ALTER TABLE item ALTER COLUMN \"doc\" SET TOASTER deftoaster",
            "UPDATE item SET \"doc\" = CAST(CAST(\"doc\" AS text) AS jsonb)"
                + " WHERE \"doc\" IS NOT NULL");
  }

  @Test
  void read_letsTheServerFetchParts() throws Exception {
    server.answer("jsonb_exists", false, "5".getBytes(UTF_8));
    assertThat(vtable().open(server.get(), KEY, DocumentPath.of("a.b"), null, 0)).isNotNull();
    assertThat(server.last()).contains("SELECT o.\"doc\" AS d FROM").doesNotContain("#> '{}'");
  }

  @Test
  void edit_changesACopy_andChecksSlots() throws Exception {
    server.answer("jsonb_set", 5L);
    assertThat(vtable().tryEdit(server.get(), KEY, SET)).contains(Edited.APPLIED);
    assertThat(server.last())
        .startsWith(
            "/* pgtoaster */ UPDATE \"public\".\"item\" AS o SET \"doc\" ="
                + " (SELECT pg_catalog.jsonb_set(s.d, p.path, p.value, p.flag)"
                + " FROM (SELECT CAST(CAST(o.\"doc\" AS text) AS jsonb) AS d OFFSET 0) s)")
        .endsWith(
            " AND NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots l"
                + " WHERE l.slot_type = 'logical')"
                + " RETURNING pg_catalog.pg_column_size(o.\"doc\")");
  }

  @Test
  void writes_whileALogicalSlotExists_areRefused() {
    server.answer("SELECT NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots", false);
    JsonVtable vtable = vtable();
    for (ThrowingCallable write :
        List.<ThrowingCallable>of(
            () -> vtable.edit(server.get(), KEY, SET),
            () -> vtable.clear(server.get(), KEY),
            () -> vtable.put(server.get(), KEY, Json.parser("{}")))) {
      assertThatThrownBy(write).isInstanceOf(UnsupportedCapabilityException.class);
    }
    assertThat(server.sent()).noneMatch(sql -> sql.startsWith("UPDATE"));
  }
}
