package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Row security for two tenants, in tables with different shapes, names and histories. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class RowSecurityTablesIT {
  private static final byte[] CONTENT = Bytes.random(1, 40_123);
  private static final byte[] FEW = Bytes.random(2, 7);
  private static final String JSON =
      "{\"name\": \"Ada\", \"secret\": [%s]}".formatted("\"abcdefghij\", ".repeat(2000) + "1");

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private Database database;
  private String owner;
  private String first;
  private String second;

  @BeforeEach
  void tenants() {
    db = new RoleDatabase(setting);
    database = db.database();
    owner = db.owner();
    first = db.role("first");
    second = db.role("second");
  }

  /** In a partitioned table only the trigger rejects references to another row's content. */
  @Test
  void handleForgedIntoARowOfAPartitionedTable_revealsNothing() throws Exception {
    db.as(
        owner,
        "CREATE TABLE part (id int, tenant name DEFAULT current_user, content bigint, PRIMARY KEY"
            + " (tenant, id)) PARTITION BY LIST (tenant)",
        "CREATE TABLE part_first PARTITION OF part FOR VALUES IN ('" + first + "')",
        "CREATE TABLE part_second PARTITION OF part FOR VALUES IN ('" + second + "')",
        "CREATE TABLE part_both PARTITION OF part DEFAULT",
        "ALTER TABLE part ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON part USING (tenant = current_user OR tenant = 'both')",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON part TO " + first + ", " + second,
        "SELECT pgtoaster.attach('part', 'content')");
    db.as(first, "INSERT INTO part VALUES (1)");
    BlobColumn blobs = db.pgToaster(first).blobs("part", "content");
    blobs.append(List.of(first, 1), CONTENT);
    long handle = database.number("SELECT content FROM part");
    db.as(second, "INSERT INTO part VALUES (2)");
    db.assertRefused("42501", second, "UPDATE part SET content = " + handle);
    db.assertRefused("42501", second, "INSERT INTO part (id, content) VALUES (3, " + handle + ")");
    db.assertRefused("42501", first, "INSERT INTO part (id, content) VALUES (3, " + handle + ")");
    db.assertRefused("XX001", second, "SELECT pgtoaster.blob_read(" + handle + ", 0, 10)");
    assertThat(db.rows(second, "SELECT blob_id FROM pgtoaster.store_1_chunk")).isEmpty();
    // A row that moves keeps its content.
    db.as(first, "UPDATE part SET tenant = 'both' WHERE id = 1");
    assertThat(db.pgToaster(second).blobs("part", "content").read(List.of("both", 1), 0, 50_000))
        .isEqualTo(CONTENT);
    db.as(second, "UPDATE part SET tenant = '" + second + "' WHERE id = 1");
    assertThat(db.rows(first, "SELECT blob_id FROM pgtoaster.store_1_chunk")).isEmpty();
    db.as(second, "DELETE FROM part");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
  }

  @Test
  void leadingKey_isCompared() throws Exception {
    db.as(
        owner,
        "CREATE TABLE led (id int PRIMARY KEY, tenant name NOT NULL DEFAULT current_user, content"
            + " bigint)",
        "ALTER TABLE led ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON led USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON led TO " + first + ", " + second,
        "SELECT pgtoaster.attach('led', 'content', options => '{\"leading_key\": \"tenant\"}')");
    db.as(first, "INSERT INTO led VALUES (1)");
    db.pgToaster(first).blobs("led", "content").append(1, CONTENT);
    assertThat(db.pgToaster(first).blobs("led", "content").read(1, 0, 50_000)).isEqualTo(CONTENT);
    assertThat(db.rows(second, "SELECT blob_id FROM pgtoaster.store_1_chunk")).isEmpty();
    db.as(first, "DELETE FROM led");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
  }

  @Test
  void leadingKeyOfDocuments_isCompared() throws Exception {
    db.as(
        owner,
        "CREATE TABLE led (tenant name DEFAULT current_user, id int, doc jsonb, PRIMARY KEY"
            + " (tenant, id))",
        "ALTER TABLE led ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON led USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON led TO " + first + ", " + second,
        "SELECT pgtoaster.attach('led', 'doc', 'keyed', options => '{\"leading_key\": \"tenant\"}')");
    DocumentColumn documents = db.pgToaster(first).documents("led", "doc");
    documents.insertJson(List.of(first, 1), JSON);
    documents.at(List.of(first, 1), "/secret/7").set("x");
    assertThat(documents.at(List.of(first, 1), "/secret/7").get(String.class)).hasValue("x");
    assertThat(documents.stat(List.of(first, 1)).orElseThrow().splitMembers()).isPositive();
    assertThat(db.rows(second, "SELECT doc FROM pgtoaster.store_1_node")).isEmpty();
    db.as(first, "DELETE FROM led");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
  }

  /** Odd names, and a store in the schema of its table. */
  @Test
  void policies_areCreatedForAnyNames() throws Exception {
    String schema = Sql.identifier("50% o'f \"it\"");
    String table = schema + "." + Sql.identifier("store_1_head % o");
    db.as(
        owner,
        "CREATE SCHEMA " + schema,
        "GRANT USAGE ON SCHEMA " + schema + " TO " + first + ", " + second,
        "CREATE TABLE "
            + table
            + " (id int PRIMARY KEY, tenant name DEFAULT current_user,"
            + " \"con%t\" bigint, \"d'%s\" jsonb)",
        "ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON " + table + " USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON " + table + " TO " + first + ", " + second);
    for (String attach : List.of("'con%t', 'appendable'", "'d''%s', 'keyed'")) {
      db.as(
          owner,
          "SELECT pgtoaster.attach(%s, %s, '{\"store_schema\": \"owner\"}')"
              .formatted(Sql.literal(table), attach));
    }
    db.as(first, "INSERT INTO " + table + " VALUES (1)");
    BlobColumn blobs =
        db.pgToaster(first).blobs(ColumnName.of("50% o'f \"it\"", "store_1_head % o", "con%t"));
    DocumentColumn documents =
        db.pgToaster(first).documents(ColumnName.of("50% o'f \"it\"", "store_1_head % o", "d'%s"));
    blobs.append(1, CONTENT);
    documents.putJson(1, JSON);
    assertThat(blobs.read(1, 0, 50_000)).isEqualTo(CONTENT);
    documents.at(1, "/secret/7").set("x");
    documents.insertJson(2, JSON);
    assertThat(documents.stat(2).orElseThrow().splitMembers()).isPositive();
    assertThat(
            db.rows(
                first,
                "SELECT id FROM " + schema + ".store_1_chunk c, LATERAL (SELECT c.blob_id) b(id)"))
        .isNotEmpty();
    for (String part : List.of("1_head", "1_chunk", "2_head", "2_node")) {
      assertThat(db.rows(second, "SELECT 1 FROM " + schema + ".store_" + part)).isEmpty();
    }
    assertThat(db.rows(owner, "SELECT unnest(warnings) FROM pgtoaster.status()")).isEmpty();
    db.as(first, "DELETE FROM " + table);
    assertThat(db.rows(owner, "SELECT 1 FROM " + schema + ".store_1_head")).isEmpty();
  }

  @Test
  void rowSecurityEnabledLater_isReportedUntilItIsMirrored() throws Exception {
    db.as(
        owner,
        "CREATE TABLE late (id int PRIMARY KEY, tenant name NOT NULL DEFAULT current_user, content"
            + " bigint, doc jsonb)",
        "SELECT pgtoaster.attach('late', 'content')",
        "SELECT pgtoaster.attach('late', 'doc', 'keyed')",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON late TO " + first + ", " + second,
        "SELECT pgtoaster.mirror_privileges('late')",
        "ALTER TABLE late ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON late USING (tenant = current_user)");
    db.as(first, "INSERT INTO late VALUES (1)");
    String remedy = "SELECT pgtoaster.mirror_privileges('public.late')";
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> db.pgToaster(first).blobs("late", "content").append(1, CONTENT),
            () -> db.pgToaster(first).documents("late", "doc").putJson(1, JSON))) {
      assertThat(Expect.refused(AccessDeniedException.class, call)).hasMessageContaining(remedy);
    }
    assertThat(
            db.rows(
                owner, "SELECT unnest(warnings) FROM pgtoaster.status() WHERE table_name = 'late'"))
        .hasSize(2)
        .allMatch(w -> w.contains("row security") && w.contains(remedy));
    db.pgToaster(owner).blobs("late", "content").append(1, CONTENT);
    db.as(owner, remedy);
    assertThat(db.rows(second, "SELECT blob_id FROM pgtoaster.store_1_chunk")).isEmpty();
    db.pgToaster(first).blobs("late", "content").append(1, FEW);
    db.pgToaster(first).documents("late", "doc").putJson(1, JSON);
    assertThat(db.rows(second, "SELECT doc FROM pgtoaster.store_2_node")).isEmpty();
    // After row security was disabled, the store no longer checks it.
    db.as(owner, "ALTER TABLE late DISABLE ROW LEVEL SECURITY");
    assertThat(
            db.rows(
                owner, "SELECT unnest(warnings) FROM pgtoaster.status() WHERE table_name = 'late'"))
        .allMatch(w -> w.contains(remedy))
        .hasSize(2);
    db.as(owner, remedy, "UPDATE late SET tenant = 'nobody'");
    assertThat(db.rows(second, "SELECT DISTINCT blob_id FROM pgtoaster.store_1_chunk")).hasSize(1);
    assertThat(db.rows(owner, "SELECT unnest(warnings) FROM pgtoaster.status()")).isEmpty();
    db.as(
        owner,
        "ALTER TABLE late ENABLE ROW LEVEL SECURITY",
        remedy,
        "SELECT pgtoaster.detach('late', 'content', true)",
        "SELECT pgtoaster.detach('late', 'doc')",
        "DROP TABLE late");
    assertThat(database.number("SELECT count(*) FROM pg_proc WHERE proname LIKE 'store\\_1\\_%'"))
        .isZero();
  }
}
