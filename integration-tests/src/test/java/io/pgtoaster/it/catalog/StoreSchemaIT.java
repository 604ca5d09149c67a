package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.DetachOptions;
import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A role with only the documented grants attaches its tables. Their stores are in the tables'
 * schema, which has an odd name.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class StoreSchemaIT {
  private static final String SCHEMA = "My \"App\".x";
  private static final byte[] CONTENT = Bytes.random(1, 50_000);
  private static final String MEMBER = "x".repeat(9000);
  private static final String STORES =
      "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE n.nspname = %s AND c.relname ~ '^store_' AND c.relkind = 'r'";

  @Parameter Setting setting;

  private Database database;
  private String role;
  private String reader;
  private HikariDataSource pool;
  private PgToaster pgToaster;

  @BeforeEach
  void attach() throws Exception {
    database = PostgresServers.shared(setting.version()).installed();
    role = database.name() + "_role";
    reader = database.name() + "_reader";
    if (setting.extension()) {
      PgToaster.create(database.dataSource()).catalog().createExtension();
    }
    database.run(
        "CREATE ROLE " + role + " LOGIN",
        "CREATE ROLE " + reader + " LOGIN",
        "CREATE SCHEMA " + Sql.identifier(SCHEMA) + " AUTHORIZATION " + role,
        "GRANT INSERT ON pgtoaster.catalog_change TO " + role);
    pool = database.pool(role, 2);
    pgToaster = PgToaster.create(pool);
    as(
        role,
        "GRANT USAGE ON SCHEMA " + Sql.identifier(SCHEMA) + " TO " + reader,
        "CREATE TABLE " + item(SCHEMA) + " (tenant int NOT NULL, id int PRIMARY KEY)",
        "INSERT INTO " + item(SCHEMA) + " VALUES (1, 1), (1, 2), (1, 3)",
        "GRANT SELECT ON " + item(SCHEMA) + " TO " + reader);
    BlobOptions options = BlobOptions.defaults().withInOwnerSchema(true);
    pgToaster.catalog().attach(ColumnName.of(SCHEMA, "item", "content"), options);
    pgToaster
        .catalog()
        .attach(ColumnName.of(SCHEMA, "item", "tenanted"), options.withLeadingKey("tenant"));
    pgToaster
        .catalog()
        .attach(
            ColumnName.of(SCHEMA, "item", "doc"), JsonOptions.defaults().withInOwnerSchema(true));
    fill(SCHEMA, 1);
    fill(SCHEMA, 2);
  }

  @AfterEach
  void drop() {
    pool.close();
    for (String name : new String[] {role, reader}) {
      database.run("DROP OWNED BY " + name + " CASCADE", "DROP ROLE " + name);
    }
  }

  private static String item(String schema) {
    return Sql.identifier(schema) + ".item";
  }

  private void as(String name, String... statements) throws SQLException {
    try (Connection c = database.connect(name)) {
      Sql.run(c, statements);
    }
  }

  private BlobColumn blobs(String schema, String column) {
    return pgToaster.blobs(ColumnName.of(schema, "item", column));
  }

  private DocumentColumn documents(String schema) {
    return pgToaster.documents(ColumnName.of(schema, "item", "doc"));
  }

  private void fill(String schema, int id) {
    for (String column : new String[] {"content", "tenanted"}) {
      blobs(schema, column).append(id, CONTENT);
      blobs(schema, column).append(id, Bytes.random(id, 10));
    }
    documents(schema).putJson(id, "{\"id\": %d, \"big\": \"%s\"}".formatted(id, MEMBER));
  }

  private void assertFilled(String schema, int id) throws Exception {
    assertFilled(role, schema, id);
  }

  private void assertFilled(String asRole, String schema, int id) throws Exception {
    for (String column : new String[] {"content", "tenanted"}) {
      assertThat(blobs(schema, column).length(id)).isEqualTo(CONTENT.length + 10);
      assertThat(blobs(schema, column).read(id, 0, CONTENT.length)).isEqualTo(CONTENT);
      assertThat(blobs(schema, column).verify(id)).isEmpty();
    }
    assertThat(documents(schema).at(id, DocumentPath.of("big")).text())
        .hasValue("\"" + MEMBER + "\"");
    assertThat(documents(schema).verify(id)).isEmpty();
    try (Connection c = database.connect(asRole)) {
      String where = " FROM " + item(schema) + " WHERE id = " + id;
      assertThat(Sql.number(c, "SELECT pgtoaster.blob_length(content)" + where))
          .isEqualTo(CONTENT.length + 10);
      assertThat(
              Sql.number(c, "SELECT octet_length(pgtoaster.blob_read(tenanted, 0, 60000))" + where))
          .isEqualTo(CONTENT.length + 10);
      assertThat(Sql.string(c, "SELECT pgtoaster.get_text(doc, '{big}')" + where))
          .isEqualTo(MEMBER);
    }
  }

  private void assertNoWarnings() {
    assertThat(pgToaster.catalog().status()).hasSize(3).allMatch(s -> s.warnings().isEmpty());
  }

  private void assertContents(long count) {
    assertThat(pgToaster.catalog().status()).extracting(s -> s.contents()).containsOnly(count);
  }

  @Test
  void store_isInTheOwnersSchema_andIsUsed() throws Exception {
    assertThat(database.strings(STORES.formatted(Sql.literal(SCHEMA)))).hasSize(6 + 6 + 4);
    assertThat(database.strings(STORES.formatted("'pgtoaster'"))).isEmpty();
    assertFilled(SCHEMA, 1);
    assertNoWarnings();
    assertContents(2);
    try (Connection c = database.connect(role)) {
      assertThat(ColumnLookup.find(c, ColumnName.of(SCHEMA, "item", "content")).extension())
          .isEqualTo(setting.extension());
    }
    assertThat(
            PgToaster.create(database.dataSource(reader))
                .blobs(ColumnName.of(SCHEMA, "item", "content"))
                .read(1, 0, CONTENT.length))
        .isEqualTo(CONTENT);
    blobs(SCHEMA, "content").compact(1);
    documents(SCHEMA).at(1, DocumentPath.of("more")).set("1");
    documents(SCHEMA).compact(1);
    assertFilled(SCHEMA, 1);
  }

  @Test
  void renamedSchema_isFollowed() throws Exception {
    String renamed = "other";
    database.run("ALTER SCHEMA " + Sql.identifier(SCHEMA) + " RENAME TO " + renamed);
    fill(renamed, 3);
    assertThat(blobs(renamed, "content").read(1, 0, CONTENT.length)).isEqualTo(CONTENT);
    assertThat(documents(renamed).verify(1)).isEmpty();
    as(role, "SELECT pgtoaster.mirror_privileges('other.item')");
    assertFilled(renamed, 1);
    assertFilled(renamed, 3);
    assertNoWarnings();
    as(role, "DELETE FROM other.item WHERE id = 1", "UPDATE other.item SET id = 9 WHERE id = 2");
    assertContents(2);
    assertFilled(renamed, 9);
    as(role, "TRUNCATE other.item");
    assertContents(0);
  }

  @Test
  void rowSecurity_isFollowedThroughARename() throws Exception {
    as(
        role,
        "ALTER TABLE " + item(SCHEMA) + " ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON " + item(SCHEMA) + " USING (id <> 2)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON " + item(SCHEMA) + " TO " + reader,
        "SELECT pgtoaster.mirror_privileges(%s)".formatted(Sql.literal(item(SCHEMA))));
    assertNoWarnings();
    database.run("ALTER SCHEMA " + Sql.identifier(SCHEMA) + " RENAME TO other");
    as(role, "SELECT pgtoaster.mirror_privileges('other.item')");
    pgToaster = PgToaster.create(database.dataSource(reader));
    fill("other", 3);
    assertFilled(reader, "other", 1);
    assertFilled(reader, "other", 3);
    Expect.refused(RowNotFoundException.class, () -> blobs("other", "content").length(2));
    Expect.refused(RowNotFoundException.class, () -> documents("other").text(2));
    as(reader, "UPDATE other.item SET content = NULL WHERE id = 1", "DELETE FROM other.item");
    try (Connection c = database.connect(role)) {
      assertThat(
              Sql.strings(
                  c,
                  "SELECT s.store FROM pgtoaster.status() s WHERE s.contents = 1 AND s.warnings ="
                      + " '{}'"))
          .hasSize(3);
    }
  }

  @Test
  void tableMovedToAnotherSchema_doesNotMoveItsStore() throws Exception {
    database.run("CREATE SCHEMA other AUTHORIZATION " + role);
    as(role, "ALTER TABLE " + item(SCHEMA) + " SET SCHEMA other");
    assertFilled("other", 1);
    fill("other", 3);
    assertNoWarnings();
    as(role, "DELETE FROM other.item WHERE id = 1");
    assertContents(2);
    assertThat(database.strings(STORES.formatted(Sql.literal(SCHEMA)))).hasSize(6 + 6 + 4);
  }

  /** Updates row 1 without triggers, so that nothing records the released content. */
  private void loseRow(String owner, String table, String columns) throws SQLException {
    as(
        owner,
        "ALTER TABLE " + table + " DISABLE TRIGGER USER",
        "UPDATE " + table + " SET " + columns + " WHERE id = 1",
        "ALTER TABLE " + table + " ENABLE TRIGGER USER");
  }

  @Test
  void gc_findsUnreferencedContent() throws Exception {
    loseRow(role, item(SCHEMA), "content = NULL, tenanted = NULL, doc = NULL");
    GcOptions now = GcOptions.defaults().withGrace(Duration.ZERO);
    assertThat(pgToaster.catalog().gc(now).items()).hasSize(3);
    assertContents(2);
    assertThat(pgToaster.catalog().gc(now.withDryRun(false)).items()).hasSize(3);
    assertContents(1);
    assertFilled(SCHEMA, 2);
  }

  @Test
  void storesOfADroppedTable_canBeDroppedByItsOwner() throws Exception {
    as(role, "DROP TABLE " + item(SCHEMA));
    database.run("GRANT INSERT ON pgtoaster.catalog_change TO " + reader);
    assertThatThrownBy(() -> as(reader, "DELETE FROM pgtoaster.store"))
        .isInstanceOf(SQLException.class);
    GcOptions now = GcOptions.defaults().withGrace(Duration.ZERO).withDryRun(false);
    assertThat(pgToaster.catalog().gc(now).items()).hasSize(3);
    assertThat(database.strings(STORES.formatted(Sql.literal(SCHEMA)))).isEmpty();
    assertThat(pgToaster.catalog().status()).isEmpty();
  }

  @Test
  void detach_dropsTheStore() throws Exception {
    pgToaster
        .catalog()
        .detach(
            ColumnName.of(SCHEMA, "item", "content"),
            DetachOptions.defaults().withDropContent(true));
    pgToaster
        .catalog()
        .detach(
            ColumnName.of(SCHEMA, "item", "tenanted"),
            DetachOptions.defaults().withDropContent(true));
    pgToaster.catalog().detach(ColumnName.of(SCHEMA, "item", "doc"));
    assertThat(database.strings(STORES.formatted(Sql.literal(SCHEMA)))).isEmpty();
    assertThat(
            database.number("SELECT count(*) FROM pg_proc WHERE proname ~ '^store_' AND prosecdef"))
        .isZero();
    assertThat(database.string("SELECT doc ->> 'big' FROM " + item(SCHEMA) + " WHERE id = 1"))
        .isEqualTo(MEMBER);
  }

  /** For example, the owner of the catalog, which maintains all stores. */
  @Test
  void roleWithoutUsageOnTheSchema_getsWarnings_andGcContinues() throws Exception {
    String other = database.name() + "_other";
    database.run("CREATE ROLE " + other + " LOGIN");
    try {
      PgToaster toaster = PgToaster.create(database.dataSource(other));
      assertThat(toaster.catalog().status())
          .hasSize(3)
          .allMatch(s -> s.warnings().toString().contains("may not use the schema of this store"));
      assertThat(toaster.catalog().gc(GcOptions.defaults()).items()).isEmpty();
      as(other, "SELECT pgtoaster.drop_orphaned_stores()");
    } finally {
      database.run("DROP ROLE " + other);
    }
  }

  @Test
  void gcOfARoleWithoutUsageOnTheSchema_removesOnlyItsOwnGarbage() throws Exception {
    String other = database.name() + "_other";
    database.run(
        "CREATE ROLE " + other + " LOGIN",
        "CREATE SCHEMA other AUTHORIZATION " + other,
        "GRANT INSERT ON pgtoaster.catalog_change TO " + other);
    try {
      PgToaster toaster = PgToaster.create(database.dataSource(other));
      as(
          other,
          "CREATE TABLE other.item (id int PRIMARY KEY)",
          "INSERT INTO other.item VALUES (1)");
      toaster
          .catalog()
          .attach(
              ColumnName.of("other", "item", "content"),
              BlobOptions.defaults().withInOwnerSchema(true));
      toaster.blobs(ColumnName.of("other", "item", "content")).append(1, CONTENT);
      loseRow(role, item(SCHEMA), "content = NULL, tenanted = NULL, doc = NULL");
      loseRow(other, "other.item", "content = NULL");
      GcOptions now = GcOptions.defaults().withGrace(Duration.ZERO).withDryRun(false);
      assertThat(toaster.catalog().gc(now).items()).hasSize(1);
      assertThat(database.number("SELECT count(*) FROM other.store_4_head")).isZero();
      assertThat(pgToaster.catalog().gc(now.withDryRun(true)).items()).hasSize(3);
      assertThat(pgToaster.catalog().gc(now).items()).hasSize(3);
      assertFilled(SCHEMA, 2);
    } finally {
      database.run("DROP OWNED BY " + other + " CASCADE", "DROP ROLE " + other);
    }
  }
}
