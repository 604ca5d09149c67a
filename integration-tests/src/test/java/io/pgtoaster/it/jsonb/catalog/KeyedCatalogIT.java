package io.pgtoaster.it.jsonb.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attaching jsonb columns to the toaster keyed: refusals and options. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("versions")
class KeyedCatalogIT extends KeyedTable {
  @Test
  void populatedColumn_isNotRewritten() {
    item("INSERT INTO item VALUES (1, '{\"a\": 1}'), (2, '[1]'), (3, '5'), (4, NULL)");
    int store = attach("{}");
    assertThat(database.strings("SELECT doc FROM item ORDER BY id"))
        .containsExactly("{\"a\": 1}", "[1]", "5", null);
    assertThat(
            database.string(
                "SELECT attstorage FROM pg_attribute WHERE attrelid = 'item'::regclass AND attname"
                    + " = 'doc'"))
        .isEqualTo("m");
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
    assertThat(
            database.string(
                "SELECT options FROM pgtoaster.attached_column WHERE store = %d".formatted(store)))
        .isEqualTo(
            "{\"touch\": \"none\", \"fan_out\": 128, \"leaf_size\": 16384, \"row_budget\": 2000,"
                + " \"compression\": \"%s\", \"keep_inline\": []}",
            PostgresServers.shared(version).hasLz4() ? "lz4" : "pglz");
  }

  @Test
  void reinstall_skipsStoresWhoseTableWasDropped() {
    item("INSERT INTO item VALUES (1, '{}')");
    int store = attach("{}");
    // If the routine is missing, {@code install} writes all routines again.
    database.run("DROP TABLE item", "DROP FUNCTION pgtoaster.store_%d_edit".formatted(store));
    PgToaster.create(database.dataSource()).catalog().install();
    assertThat(database.strings("SELECT pgtoaster.drop_orphaned_stores()"))
        .containsExactly(String.valueOf(store));
  }

  @Test
  void missingCatalogColumn_isAdded() {
    database.run("CREATE TABLE item (id int PRIMARY KEY)", "INSERT INTO item VALUES (1)");
    int store = attach("{}");
    new Nodes(database, store).sample("item", "doc", "id = 1", 1);
    assertThat(database.string("SELECT pgtoaster.get_text(doc, '{in,x}') FROM item"))
        .isEqualTo("hello wor\"ld");
  }

  @Test
  void documentWithTheReservedKey_isRefused() {
    item("INSERT INTO item VALUES (1, '{\"$pgtoaster\": 1}'), (2, '[\"$pgtoaster\"]')");
    assertRefused("55000", "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    database.run("DELETE FROM item WHERE id = 1");
    attach("{}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id int PRIMARY KEY, doc json",
        "id int PRIMARY KEY, doc bytea",
        "id int, doc jsonb",
        "doc jsonb PRIMARY KEY",
        "id int PRIMARY KEY, doc jsonb GENERATED ALWAYS AS ('{}'::jsonb) STORED"
      })
  void unsuitableColumn_isRefused(String columns) {
    database.run("CREATE TABLE item (" + columns + ")");
    try (Connection c = database.connect()) {
      assertThatThrownBy(() -> Sql.run(c, "SELECT pgtoaster.attach('item', 'doc', 'keyed')"))
          .isInstanceOf(SQLException.class);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"chunk_size\": 8000}",
        "{\"row_budget\": 100}",
        "{\"leaf_size\": 65537}",
        "{\"fan_out\": \"3\"}",
        "{\"compression\": \"zstd\"}",
        "{\"touch\": \"yes\"}",
        "{\"keep_inline\": \"/a\"}",
        "{\"keep_inline\": [\"a\"]}",
        "{\"keep_inline\": [\"\"]}",
        "{\"keep_inline\": [\"/a~2\"]}",
        "{\"keep_inline\": {\"/a\": 1}}"
      })
  void unsuitableOption_isRefused(String options) {
    item();
    assertThatThrownBy(() -> attach(options)).hasRootCauseInstanceOf(SQLException.class);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @Test
  void options_areReturnedUnchanged() throws SQLException {
    item();
    database.run(
        "SELECT pgtoaster.attach('item', 'doc', 'keyed', jsonb_object('{row_budget,300,"
            + "keep_inline,\"[\\\"/a\\\", \\\"/b/c\\\"]\",touch,row}'))");
    try (Connection c = database.connect()) {
      AttachedColumn column = ColumnLookup.find(c, ColumnName.of("item", "doc"));
      assertThat(column.toaster()).isEqualTo("keyed");
      assertThat(column.options())
          .containsEntry("keep_inline", "[\"/a\", \"/b/c\"]")
          .containsEntry("row_budget", "300")
          .containsEntry("leaf_size", "16384")
          .containsEntry("touch", "row");
    }
  }

  @Test
  void defaultToaster_acceptsAJsonbColumn() {
    item("INSERT INTO item VALUES (1, '{}')");
    assertRefused(
        "22023", "SELECT pgtoaster.attach('item', 'doc', 'default', '{\"touch\": \"row\"}')");
    database.run("SELECT pgtoaster.attach('item', 'doc', 'default', '{\"key\": \"item_pkey\"}')");
    assertThat(database.string("SELECT toaster FROM pgtoaster.status()")).isEqualTo("default");
    database.run("SELECT pgtoaster.detach('item', 'doc')");
  }

  @Test
  void changedCompression_changesTheStorageOfLeaves() {
    item();
    int store = attach("{\"compression\": \"none\"}");
    String shape =
        "SELECT concat_ws(' ', attstorage, attcompression) FROM pg_attribute WHERE attrelid ="
            + " 'pgtoaster.store_%d_node'::regclass AND attname = 'value'".formatted(store);
    assertThat(database.string(shape)).startsWith("e");
    database.run("SELECT pgtoaster.set_options('item', 'doc', '{\"compression\": \"pglz\"}')");
    assertThat(database.string(shape)).isEqualTo("m p");
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
    assertRefused(
        "22023", "SELECT pgtoaster.set_options('item', 'doc', '{\"key\": \"item_pkey\"}')");
    assertRefused("22023", "SELECT pgtoaster.set_options('item', 'doc', '{\"tail\": 1}')");
  }
}
