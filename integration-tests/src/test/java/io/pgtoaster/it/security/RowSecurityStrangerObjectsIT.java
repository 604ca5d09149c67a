package io.pgtoaster.it.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A tenant with SQL access attacks headers, handles and maintenance. */
@Tag("ci")
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class RowSecurityStrangerObjectsIT {
  private static final String JSON =
      "{\"iban\": \"DE\", \"secret\": [%s]}".formatted("\"abcdefghij\", ".repeat(2000) + "1");

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private String owner;
  private String victim;
  private String thief;
  private long blob;
  private long document;

  @BeforeEach
  void tenants() throws SQLException {
    use(RoleDatabase.copy(setting, RowSecurityStrangerObjectsIT.class, this::create));
    blob = number("SELECT content FROM item WHERE id = 1");
    document = number("SELECT doc #>> '{$pgtoaster,0}' FROM item WHERE id = 1");
  }

  private void use(RoleDatabase database) {
    db = database;
    owner = db.owner();
    victim = db.role("victim");
    thief = db.role("thief");
  }

  private void create(RoleDatabase template) throws SQLException {
    use(template);
    db.database().run("GRANT CREATE ON DATABASE " + db.database().name() + " TO " + thief);
    db.as(thief, "CREATE SCHEMA lair", "GRANT USAGE ON SCHEMA lair TO PUBLIC");
    db.as(
        owner,
        "CREATE TABLE item (id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb)",
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON item USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + victim + ", " + thief,
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    db.as(victim, "INSERT INTO item (id) VALUES (1)");
    db.as(thief, "INSERT INTO item (id) VALUES (2)");
    db.blobs(victim).append(1, "PIN 4711".getBytes(US_ASCII));
    db.documents(victim).putJson(1, JSON);
  }

  private long number(String sql) {
    return db.database().number(sql);
  }

  /** Creates a function of the thief that records its callers, and indexes that call it. */
  private void trap(String function) throws SQLException {
    db.as(
        thief,
        "CREATE TABLE lair.loot (who name)",
        "GRANT INSERT ON lair.loot TO PUBLIC",
        "CREATE FUNCTION lair.act() RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO lair.loot"
            + " VALUES (current_user); EXCEPTION WHEN OTHERS THEN NULL; END $$",
        "CREATE FUNCTION lair.trap(i int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF"
            + " current_user <> '%s' THEN %s; END IF; RETURN i; END $$".formatted(thief, function),
        "CREATE TABLE lair.trap (id int, doc jsonb)",
        "CREATE INDEX ON lair.trap ((lair.trap(1)))",
        "CREATE INDEX ON lair.trap (id) WHERE id IS NULL AND 'pgtoaster_2'::text IS NOT NULL",
        "GRANT SELECT ON lair.trap TO PUBLIC");
    // A document without a row.
    db.as(
        owner,
        "INSERT INTO pgtoaster.store_2_head (owner_1, created_at) VALUES (2, now() - interval '9"
            + " days')");
  }

  /** To plan a query, PostgreSQL evaluates the index expressions of its tables. */
  @Test
  void indexExpressionsOfAForeignTable_areNotRunByCleanupAndDetach() throws SQLException {
    trap("PERFORM lair.act()");
    assertThat(db.rows(owner, "SELECT id FROM pgtoaster.gc_documents(2, '1 hour')")).hasSize(1);
    assertThat(number("SELECT count(*) FROM pgtoaster.gc_documents(2, '1 hour')")).isOne();
    db.as(owner, "SELECT * FROM pgtoaster.gc_kept_documents(2, '1 hour')");
    db.as(owner, "SELECT pgtoaster.detach('item', 'doc')");
    assertThat(number("SELECT count(*) FROM lair.loot")).isZero();
  }

  @Test
  void failingIndexExpressions_doNotPreventCleanup() throws SQLException {
    trap("RAISE EXCEPTION 'no gc today'");
    assertThat(db.rows(owner, "SELECT id FROM pgtoaster.gc_documents(2, '1 hour')")).hasSize(1);
    db.as(owner, "ALTER TABLE item DROP COLUMN doc CASCADE");
    assertThat(db.rows(owner, "SELECT pgtoaster.drop_orphaned_stores()")).containsExactly("2");
  }

  /**
   * Reading the partition is not safe, because its owner could run code with the reader's rights.
   */
  @Test
  void detachedPartitionOfAnotherRole_keepsItsContent_untilItIsReleased() throws Exception {
    db.as(
        owner,
        "CREATE TABLE part (id int PRIMARY KEY, doc jsonb) PARTITION BY RANGE (id)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)",
        "SELECT pgtoaster.attach('part', 'doc', 'keyed')",
        "INSERT INTO part VALUES (1)");
    db.pgToaster(owner).documents("part", "doc").putJson(1, JSON);
    db.as(owner, "ALTER TABLE part DETACH PARTITION part_1");
    db.database().run("ALTER TABLE part_1 OWNER TO " + thief);
    assertThat(db.rows(owner, "SELECT id FROM pgtoaster.gc_documents(3, '0')")).isEmpty();
    assertThat(db.rows(owner, "SELECT relation FROM pgtoaster.gc_kept_documents(3, '0')"))
        .containsExactly("part_1");
    db.assertRefused("2BP01", owner, "SELECT pgtoaster.detach('part', 'doc')");
    db.as(thief, "DROP TRIGGER pgtoaster_3_truncate ON part_1");
    assertThat(db.rows(owner, "SELECT id FROM pgtoaster.gc_documents(3, '0')")).hasSize(1);
    db.as(owner, "SELECT pgtoaster.detach('part', 'doc')");
  }

  /** Runs statements of the thief in one session; returns their results and warnings. */
  private List<String> outcomes(String... statements) throws SQLException {
    List<String> outcomes = new ArrayList<>();
    try (Connection c = db.database().connect(thief);
        Statement s = c.createStatement()) {
      for (String statement : statements) {
        try {
          s.execute(statement);
          outcomes.add("done");
        } catch (SQLException e) {
          outcomes.add(e.getSQLState());
        }
        for (SQLWarning w = s.getWarnings(); w != null; w = w.getNextWarning()) {
          outcomes.add(w.getMessage());
        }
        s.clearWarnings();
      }
    }
    return outcomes;
  }

  /** To the operator {@code -> 0}, a jsonb number is an array with one element. */
  @Test
  void headerThatIsNotAnArray_cannotBeStored_evenWithTheWriteMark() throws SQLException {
    for (String header : List.of("%d", "{\"0\": %d}", "[%d]", "[]", "[\"%d\"]", "[[%d]]", "null")) {
      String doc = "{\"$pgtoaster\": " + header.formatted(document) + "}";
      String claim =
          "SELECT set_config('pgtoaster.write', statement_timestamp()::text, true); UPDATE item SET"
              + (" doc = '" + doc + "' WHERE id = 2");
      assertThat(outcomes(claim).get(0)).as(header).isIn("23514", "42501");
    }
    assertThat(number("SELECT count(*) FROM item WHERE doc ? '$pgtoaster'")).isOne();
  }

  /** A function in RETURNING runs when the row already exists. */
  @Test
  void handleAndHeaderOfAnotherRow_areRefusedBeforeTheRowIsWritten() throws Exception {
    db.as(
        owner,
        "CREATE TABLE part (id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb)"
            + " PARTITION BY RANGE (id)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (1000)",
        "ALTER TABLE part ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON part USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON part TO " + victim + ", " + thief,
        "SELECT pgtoaster.attach('part', 'content')",
        "CREATE FUNCTION purge() RETURNS void LANGUAGE sql SECURITY DEFINER AS $$ DELETE FROM item"
            + " WHERE id = 1 $$");
    db.as(victim, "INSERT INTO part (id) VALUES (1)");
    db.pgToaster(victim).blobs("part", "content").append(1, "PIN 4712".getBytes(US_ASCII));
    long other = number("SELECT content FROM part WHERE id = 1");
    db.as(thief, "INSERT INTO part (id) VALUES (2)");
    String blobs =
        "CREATE FUNCTION pg_temp.leak(h bigint) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE"
            + " WARNING '%', convert_from(pgtoaster.blob_read(h, 0, 8), 'UTF8'); RETURN ''; END $$";
    String documents =
        "CREATE FUNCTION pg_temp.leaks(d bigint) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE"
            + " WARNING '%', (SELECT min(left(value::text, 9)) FROM pgtoaster.store_2_node WHERE doc"
            + " = d); RETURN ''; END $$";
    assertThat(
            outcomes(
                blobs,
                "INSERT INTO part (id, content) VALUES (3, %d) RETURNING pg_temp.leak(content)"
                    .formatted(other),
                "UPDATE part SET content = %d WHERE id = 2 RETURNING pg_temp.leak(content)"
                    .formatted(other)))
        .containsExactly("done", "42501", "42501");
    assertThat(
            outcomes(
                blobs,
                documents,
                "BEGIN",
                "SELECT purge()",
                "SAVEPOINT x",
                "INSERT INTO item (id, content) VALUES (9, %d) RETURNING pg_temp.leak(content)"
                    .formatted(blob),
                "ROLLBACK TO x",
                "INSERT INTO item (id, doc) VALUES (1, '{\"$pgtoaster\": [%1$d]}') RETURNING pg_temp.leaks(%1$d)"
                    .formatted(document),
                "ROLLBACK TO x",
                "SET LOCAL pgtoaster.write = 'x'",
                // If the new key adopted the document, it would belong to the thief.
                "UPDATE item SET id = 1, doc = '{\"$pgtoaster\": [%1$d]}' WHERE id = 2 RETURNING pg_temp.leaks(%1$d)"
                    .formatted(document),
                "ROLLBACK"))
        .containsExactly(
            "done", "done", "done", "done", "done", "42501", "done", "42501", "done", "done",
            "42501", "done");
  }

  /** In one statement, a role may assign visible content to its row again, and move it. */
  @Test
  void ownContent_canStillBeMovedAndConfirmed() throws Exception {
    db.as(
        owner,
        "CREATE TABLE part (id int, month int, tenant name DEFAULT current_user, doc jsonb,"
            + " PRIMARY KEY (id, month)) PARTITION BY RANGE (month)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (7)",
        "CREATE TABLE part_2 PARTITION OF part FOR VALUES FROM (7) TO (13)",
        "ALTER TABLE part ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON part USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON part TO " + victim,
        "SELECT pgtoaster.attach('part', 'content')",
        "SELECT pgtoaster.attach('part', 'doc', 'keyed')");
    db.as(victim, "INSERT INTO part (id, month) VALUES (1, 1)");
    List<Integer> key = List.of(1, 1);
    db.pgToaster(victim).blobs("part", "content").append(key, Bytes.text(1, 9));
    db.pgToaster(victim).documents("part", "doc").putJson(key, JSON);
    db.as(
        victim,
        "UPDATE part SET month = 8",
        "INSERT INTO part (id, month, content, doc) SELECT id, month, content, doc FROM part ON"
            + " CONFLICT (id, month) DO UPDATE SET content = excluded.content, doc = excluded.doc",
        "WITH gone AS (DELETE FROM part RETURNING *) INSERT INTO part SELECT id + 1, month,"
            + " tenant, doc, content FROM gone",
        "UPDATE item SET id = 7, content = content, doc = doc WHERE id = 1");
    List<Integer> moved = List.of(2, 8);
    assertThat(db.pgToaster(victim).blobs("part", "content").length(moved)).isEqualTo(9);
    for (String table : List.of("part", "item")) {
      assertThat(db.rows(victim, "SELECT pgtoaster.get_text(doc, '{secret,1}') FROM " + table))
          .containsExactly("abcdefghij");
    }
  }

  /** An inheriting table has no triggers and no unique index on the handle. */
  @Test
  void rowsOfChildTables_referenceNothing_andStatusAndAttachReportIt() throws SQLException {
    db.as(
        owner,
        "CREATE TABLE child () INHERITS (item)",
        "GRANT SELECT, INSERT ON child TO " + thief);
    db.as(
        thief,
        "INSERT INTO child (id, content) VALUES (9, %d)".formatted(blob),
        "INSERT INTO child (id, doc) VALUES (1, '{\"$pgtoaster\": [%d]}')".formatted(document));
    db.assertRefused("XX001", thief, "SELECT pgtoaster.blob_length(%d)".formatted(blob));
    assertThat(db.rows(thief, "SELECT id FROM pgtoaster.store_2_node")).isEmpty();
    assertThat(
            db.rows(
                owner,
                "SELECT w FROM pgtoaster.status() s, unnest(warnings) w WHERE w LIKE 'other tables inherit%'"))
        .hasSize(2);
    db.as(
        owner,
        "CREATE TABLE parent (id int PRIMARY KEY)",
        "CREATE TABLE heir () INHERITS (parent)");
    db.assertRefused("42809", owner, "SELECT pgtoaster.attach('parent', 'doc', 'keyed')");
  }

  @Test
  void deferrableKeys_andKeysOfOtherCollations_areRefusedByAttach() throws SQLException {
    db.as(
        owner,
        "CREATE TABLE later (id int PRIMARY KEY DEFERRABLE)",
        "CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "CREATE TABLE named (id text COLLATE blind NOT NULL)",
        "CREATE UNIQUE INDEX named_key ON named (id COLLATE \"C\")");
    db.assertRefused("42P16", owner, "SELECT pgtoaster.attach('later', 'doc', 'keyed')");
    db.assertRefused(
        "42P16",
        owner,
        "SELECT pgtoaster.attach('named', 'doc', 'keyed', '{\"key\": \"named_key\"}')");
  }

  /** A trigger's condition runs with the rights of the updating role. */
  @Test
  void triggerConditions_callNothingOfTheCatalog() throws SQLException {
    db.as(
        owner,
        "CREATE TABLE other (id int PRIMARY KEY)",
        "SELECT pgtoaster.attach('other', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')");
    assertThat(
            db.rows(
                owner,
                "SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_depend d ON d.classid ="
                    + " 'pg_trigger'::regclass AND d.objid = t.oid AND d.refclassid ="
                    + " 'pg_proc'::regclass JOIN pg_proc p ON p.oid = d.refobjid WHERE t.tgrelid ="
                    + " 'other'::regclass AND p.pronamespace = 'pgtoaster'::regnamespace"))
        .isEmpty();
  }

  @Test
  void foreignTriggersWithOurNames_haveNoEffect() throws SQLException {
    db.as(
        thief,
        "CREATE TABLE lair.x (id int)",
        "CREATE FUNCTION lair.nop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER pgtoaster_2_guard AFTER INSERT ON lair.x FOR EACH ROW EXECUTE FUNCTION"
            + " lair.nop()",
        "CREATE TRIGGER pgtoaster_2_update AFTER INSERT ON lair.x FOR EACH ROW EXECUTE FUNCTION"
            + " lair.nop()");
    db.as(
        owner,
        "ALTER TABLE item DISABLE ROW LEVEL SECURITY",
        "SELECT pgtoaster.mirror_privileges('item')",
        "SELECT pgtoaster.detach('item', 'doc')");
    assertThat(number("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'lair.x'::regclass"))
        .isEqualTo(2);
  }
}
