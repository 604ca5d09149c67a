package io.pgtoaster.it.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A tenant with SQL access and its own tables attacks other tenants' content and maintenance. */
@Tag("ci")
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class RowSecurityAttacksIT extends TenantsSuite {
  @BeforeEach
  void lair() throws SQLException {
    db.database().run("GRANT CREATE ON DATABASE " + db.database().name() + " TO " + thief);
    db.as(thief, "CREATE SCHEMA lair", "GRANT USAGE ON SCHEMA lair TO PUBLIC");
  }

  private GcReport collect(String role) {
    return db.pgToaster(role)
        .catalog()
        .gc(GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO));
  }

  /** Leaves a document without a row for {@code gc}. */
  private void leaveADocument() throws SQLException {
    db.as(owner, "ALTER TABLE item DISABLE TRIGGER USER", "DELETE FROM item WHERE id = 1");
    db.as(owner, "ALTER TABLE item ENABLE TRIGGER USER");
  }

  /** Its operators and casts would run with the rights of a reader or of a maintenance role. */
  @Test
  void foreignMarkedTable_runsNoCode_andIsIgnored() throws SQLException {
    db.as(
        thief,
        "CREATE TYPE lair.mood AS ENUM ('x')",
        "CREATE TABLE lair.loot (who name)",
        "GRANT INSERT ON lair.loot TO PUBLIC",
        "CREATE FUNCTION lair.payload(lair.mood) RETURNS int LANGUAGE sql AS $$ INSERT INTO"
            + " lair.loot VALUES (current_user); SELECT -5 $$",
        "CREATE CAST (lair.mood AS int) WITH FUNCTION lair.payload(lair.mood) AS IMPLICIT",
        "CREATE TABLE lair.trap (id lair.mood, doc jsonb)",
        "INSERT INTO lair.trap SELECT 'x', doc FROM (SELECT jsonb_build_object('$pgtoaster',"
            + " jsonb_build_array((2::bigint << 40) + n)) AS doc FROM generate_series(1, 9) n) d",
        "CREATE INDEX ON lair.trap (id) WHERE id IS NULL AND 'pgtoaster_2'::text IS NOT NULL",
        "GRANT SELECT ON lair.trap TO PUBLIC");
    db.as(owner, "SELECT pgtoaster.expand(doc) FROM item WHERE id = 1");
    leaveADocument();
    db.as(owner, "SELECT pgtoaster.gc_documents(2, '0')");
    db.database().run("SELECT pgtoaster.gc_documents(2, '0')");
    assertThat(number("SELECT count(*) FROM lair.loot")).isZero();
  }

  /** Covers temporary tables, and copies by CREATE TABLE (LIKE .. INCLUDING INDEXES). */
  @Test
  void foreignMarkedTable_doesNotPreventCleanup() throws SQLException {
    db.as(thief, "CREATE TABLE lair.likes (LIKE item INCLUDING INDEXES)");
    db.as(owner, "CREATE TABLE likes (LIKE item INCLUDING INDEXES)");
    db.as(owner, "ALTER TABLE likes DROP COLUMN doc");
    db.as(victim, "UPDATE item SET id = 5 WHERE id = 1");
    assertThat(db.rows(victim, "SELECT pgtoaster.get_text(doc, '{secret,0}') FROM item"))
        .containsExactly("abcdefghij");
    db.as(victim, "DELETE FROM item WHERE id = 5");
    assertThat(number("SELECT count(*) FROM pgtoaster.store_2_node")).isZero();
    db.as(owner, "SELECT pgtoaster.gc_documents(2, '0')", "SELECT pgtoaster.detach('item', 'doc')");
  }

  /** The partition's rows no longer count as owners, but their headers keep the content. */
  @Test
  void detachedPartitionOfAnotherOwner_keepsItsDocuments() throws Exception {
    db.as(
        owner,
        "CREATE TABLE part (id int PRIMARY KEY, doc jsonb) PARTITION BY RANGE (id)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)",
        "SELECT pgtoaster.attach('part', 'doc', 'keyed')",
        "INSERT INTO part VALUES (1)");
    db.pgToaster(owner).documents("part", "doc").putJson(1, JSON);
    db.as(owner, "ALTER TABLE part DETACH PARTITION part_1");
    db.database().run("ALTER TABLE part_1 OWNER TO " + thief, "GRANT SELECT ON part_1 TO " + owner);
    assertThat(db.rows(owner, "SELECT id FROM pgtoaster.gc_documents(3, '0')")).isEmpty();
    assertThat(number("SELECT count(*) FROM pgtoaster.gc_documents(3, '0')")).isZero();
    db.assertRefused("2BP01", owner, "SELECT pgtoaster.detach('part', 'doc')");
    db.as(owner, "DROP TABLE part");
    assertThat(number("SELECT count(*) FROM pgtoaster.drop_orphaned_stores()")).isZero();
    assertThat(number("SELECT count(*) FROM pgtoaster.store_3_node")).isPositive();
  }

  /** Asserts that the plan of the thief's query does not depend on the hidden bytes. */
  private void assertPlanTellsNothing(String query, String less, String more) throws SQLException {
    List<List<String>> plans = new ArrayList<>();
    for (String bytes : List.of(less, more)) {
      List<String> plan =
          db.rows(
              thief,
              "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) "
                  + query.formatted(bytes));
      plan.replaceAll(line -> line.replaceAll("'[^']*'|> -?\\d+", "?"));
      plans.add(plan);
    }
    assertThat(plans.get(0)).as(query).isEqualTo(plans.get(1));
  }

  @Test
  void plansOfChanges_revealNoHiddenBytes() throws SQLException {
    long blob = number("SELECT content FROM item WHERE id = 1");
    long document = number("SELECT doc->'$pgtoaster'->>0 FROM item WHERE id = 1");
    String chunks = "pgtoaster.store_1_chunk %s WHERE blob_id = " + blob + " AND data >= %%s";
    String heads = "pgtoaster.store_1_head %s WHERE id = " + blob + " AND tail >= %%s";
    String nodes = "pgtoaster.store_2_node %s WHERE doc = " + document + " AND bytes > %%s";
    for (String query :
        List.of(
            "SELECT FROM " + chunks.formatted("") + " FOR UPDATE",
            "SELECT FROM " + heads.formatted("") + " FOR SHARE",
            "UPDATE " + chunks.formatted("SET crc = 1"),
            "DELETE FROM " + heads.formatted(""))) {
      assertPlanTellsNothing(query, "'\\x00'", "'\\xff'");
    }
    for (String query :
        List.of(
            "SELECT FROM " + nodes.formatted("") + " FOR UPDATE",
            "UPDATE " + nodes.formatted("SET version = 1"),
            "DELETE FROM " + nodes.formatted(""))) {
      assertPlanTellsNothing(query, "0", "2000000000");
    }
  }

  /** INSERT .. ON CONFLICT can reach heads that were committed after its snapshot was taken. */
  @Test
  void headsCreatedByOtherRolesDuringTheStatement_areNotReachable() throws Exception {
    db.as(victim, "INSERT INTO item (id) VALUES (5)");
    // A role can choose numbers only with this grant.
    db.as(owner, "GRANT INSERT ON pgtoaster.store_1_head TO " + thief);
    long next = number("SELECT max(id) + 1 FROM pgtoaster.store_1_head");
    try (Connection holder = db.database().connect(victim);
        Connection c = db.database().connect(thief)) {
      Sql.run(holder, "SELECT pg_advisory_lock(1)");
      CompletableFuture<List<String>> stolen =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return Sql.strings(
                      c,
                      "WITH w AS MATERIALIZED (SELECT pg_advisory_lock(1) IS NOT NULL AS ok) INSERT INTO"
                          + " pgtoaster.store_1_head AS h (id, chunk_size) SELECT "
                          + next
                          + ", 8100 FROM w WHERE ok ON CONFLICT (id) DO UPDATE SET sealed = h.sealed"
                          + " RETURNING convert_from(h.tail, 'UTF8')");
                } catch (SQLException e) {
                  return List.of(e.getSQLState());
                }
              });
      db.database().awaitLockWaiters(1);
      db.blobs(victim).append(5, "PIN 4712".getBytes(US_ASCII));
      Sql.run(holder, "SELECT pg_advisory_unlock(1)");
      assertThat(stolen.get()).containsExactly("42501");
    }
    assertThat(number("SELECT max(id) FROM pgtoaster.store_1_head")).isEqualTo(next);
  }

  /** A number identifies its store. */
  @Test
  void numbersOfOtherStores_cannotBeUsed() throws SQLException {
    db.as(
        owner,
        "CREATE TABLE other (id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb)",
        "ALTER TABLE other ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON other USING (tenant = current_user)",
        "CREATE TABLE plain (id int PRIMARY KEY, doc jsonb)",
        "GRANT SELECT, INSERT, UPDATE ON other, plain TO " + thief,
        "SELECT pgtoaster.attach('other', 'content')",
        "SELECT pgtoaster.attach('other', 'doc', 'keyed')",
        "SELECT pgtoaster.attach('plain', 'doc', 'keyed')");
    db.as(thief, "INSERT INTO other (id) VALUES (1)");
    db.pgToaster(thief).blobs("other", "content").append(1, Bytes.text(1, 9));
    long blob = number("SELECT content FROM item WHERE id = 1");
    for (long id : new long[] {blob, -1, 0}) {
      db.assertRefused(
          "42501",
          thief,
          "INSERT INTO pgtoaster.store_3_head (id, chunk_size) VALUES (" + id + ", 8100)");
    }
    String stub = Sql.literal(db.database().string("SELECT doc FROM item WHERE id = 1"));
    String write =
        "SELECT set_config('pgtoaster.write', statement_timestamp()::text, true);"
            + "UPDATE %s SET doc = "
            + stub;
    for (String table : List.of("other", "plain")) {
      db.as(thief, "INSERT INTO " + table + " (id) VALUES (1) ON CONFLICT DO NOTHING");
      try (Connection c = db.database().connect(thief)) {
        c.setAutoCommit(false);
        assertThatThrownBy(() -> Sql.run(c, write.formatted(table)))
            .as(table)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("document");
      }
      // The state that a session without triggers has left before row security was enabled.
      db.database().runWithoutTriggers("UPDATE " + table + " SET doc = " + stub);
      assertThat(
              db.rows(
                  owner,
                  "SELECT action FROM pgtoaster.repair('" + table + "', 'doc', NULL, false)"))
          .singleElement()
          .asString()
          .contains("set aside");
      db.database().runWithoutTriggers("UPDATE " + table + " SET doc = " + stub);
      db.as(
          owner,
          "DELETE FROM pgtoaster.store_" + (table.equals("other") ? 4 : 5) + "_aside",
          "SELECT pgtoaster.detach('" + table + "', 'doc')");
      assertThat(number("SELECT count(*) FROM " + table + " WHERE doc::text LIKE '%abcdefghij%'"))
          .isZero();
    }
  }

  /**
   * After a role removes rows that it does not see, it cannot put their content into its own row.
   */
  @Test
  void contentOfInvisibleDeletedRows_cannotBeTaken() throws SQLException {
    db.as(
        owner,
        "CREATE POLICY wide_delete ON item FOR DELETE TO " + thief + " USING (true)",
        "CREATE POLICY wide_update ON item FOR UPDATE TO " + thief + " USING (true)",
        "GRANT TRUNCATE ON item TO " + thief,
        "CREATE TABLE project (id int PRIMARY KEY)",
        "INSERT INTO project VALUES (1)",
        "GRANT DELETE ON project TO " + thief,
        "ALTER TABLE item ADD project int REFERENCES project ON DELETE CASCADE",
        "UPDATE item SET project = 1 WHERE id = 1",
        "CREATE FUNCTION purge() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path ="
            + " public, pg_temp AS 'DELETE FROM item'",
        "SELECT pgtoaster.mirror_privileges('item')");
    long blob = number("SELECT content FROM item WHERE id = 1");
    String stub = Sql.literal(db.database().string("SELECT doc FROM item WHERE id = 1"));
    for (String removal :
        List.of(
            "DELETE FROM item",
            "UPDATE item SET content = NULL, doc = NULL",
            "TRUNCATE item",
            "DELETE FROM project",
            "SELECT purge()")) {
      db.assertRefused(
          "42501",
          thief,
          "BEGIN",
          removal,
          "INSERT INTO item (id, content) VALUES (9, " + blob + ")");
      db.assertRefused(
          "42501", thief, "BEGIN", removal, "INSERT INTO item (id, doc) VALUES (9, " + stub + ")");
    }
    db.assertRefused(
        "42501",
        thief,
        "WITH i AS (INSERT INTO item (id, content) VALUES (9, " + blob + ")) DELETE FROM item");
    // The tenant may move its content, even if no row references it for a moment.
    db.as(
        victim,
        "BEGIN",
        "DELETE FROM item WHERE id = 1",
        "INSERT INTO item (id, content, doc) VALUES (7, " + blob + ", " + stub + ")",
        "COMMIT");
    assertThat(db.blobs(victim).verify(7)).isEmpty();
    assertThat(db.documents(victim).verify(7)).isEmpty();
  }

  /** A DELETE needs only the privileges that PostgreSQL requires. */
  @Test
  void rolesThatMayNotReadTheColumn_mayDeleteRows() throws SQLException {
    String cleaner = db.role("cleaner");
    String reader = db.role("reader");
    db.as(
        owner,
        "GRANT DELETE ON item TO " + cleaner,
        "GRANT DELETE, SELECT (id), UPDATE (content, doc) ON item TO " + reader,
        "CREATE POLICY clean ON item TO " + cleaner + ", " + reader + " USING (true)",
        "SELECT pgtoaster.mirror_privileges('item')");
    db.as(reader, "DELETE FROM item WHERE id = 1");
    assertThat(number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
    db.as(victim, "INSERT INTO item (id) VALUES (1)");
    db.blobs(victim).append(1, Bytes.text(1, 9000));
    db.documents(victim).putJson(1, JSON);
    db.as(cleaner, "DELETE FROM item");
    assertThat(number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
    assertThat(number("SELECT count(*) FROM pgtoaster.store_2_node")).isZero();
  }

  /** The row's partition was dropped, and the thief inserts a row with the same key. */
  @Test
  void headOfADocumentWithoutARow_isNotReplaced() throws SQLException {
    db.as(
        owner,
        "CREATE TABLE part (id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb)"
            + " PARTITION BY RANGE (id)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)",
        "ALTER TABLE part ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON part USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON part TO " + victim + ", " + thief,
        "SELECT pgtoaster.attach('part', 'doc', 'keyed')");
    db.as(victim, "INSERT INTO part (id) VALUES (1)");
    db.pgToaster(victim).documents("part", "doc").putJson(1, JSON);
    db.as(
        owner,
        "DROP TABLE part_1",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)");
    long document = number("SELECT id FROM pgtoaster.store_3_head");
    db.as(thief, "INSERT INTO part (id) VALUES (1)", "DELETE FROM pgtoaster.store_3_head");
    assertThat(number("SELECT id FROM pgtoaster.store_3_head")).isEqualTo(document);
    // The thief cannot take the document even if the head is missing.
    db.as(owner, "DELETE FROM pgtoaster.store_3_head");
    db.assertRefused(
        "42501",
        thief,
        "INSERT INTO pgtoaster.store_3_head (id, owner_1) VALUES (" + document + ", 1)");
  }

  @Test
  void invalidStores_doNotPreventStatusAndOtherRolesCleanup() throws SQLException {
    db.blobs(thief).append(2, Bytes.text(1, 9000));
    for (String odd :
        List.of(
            "chunk_size = 2147483647",
            "piece_start = 9223372036854775807, chunk_size = 1",
            "base = base + 3000000",
            "piece_rows = 2147483647",
            "generation = 9223372036854775807")) {
      db.assertRefused("42501", thief, "UPDATE pgtoaster.store_1_head SET " + odd);
    }
    String status = "SELECT count(*) FROM pgtoaster.status() WHERE contents IS NOT NULL";
    db.as(
        owner,
        "UPDATE pgtoaster.store_1_head SET piece_start = 9223372036854775807, chunk_size = 1,"
            + " base = 9223372036854775807, piece_rows = 9, tail = ''");
    assertThat(db.rows(owner, status)).containsExactly("2");
    assertThat(db.blobs(owner).verify(2)).isNotEmpty();
    db.as(
        owner,
        "UPDATE pgtoaster.store_1_head SET piece_start = 0, chunk_size = 2147483647, base = 1::bigint << 60");
    assertThat(db.blobs(owner).verify(2)).singleElement().asString().contains("head", "damaged");
    assertThatThrownBy(() -> db.blobs(owner).compact(2)).isInstanceOf(BlobCorruptException.class);
    db.as(owner, "UPDATE pgtoaster.store SET toaster = 'keyed' WHERE id = 1");
    assertThat(db.rows(owner, status)).containsExactly("1");
    assertThat(db.rows(owner, "SELECT warnings[1] FROM pgtoaster.status() WHERE store = 1"))
        .singleElement()
        .asString()
        .contains("is unknown");
    db.as(owner, "UPDATE pgtoaster.store SET toaster = 'appendable' WHERE id = 1");
    leaveADocument();
    db.as(owner, "DROP TABLE pgtoaster.store_1_garbage");
    assertThat(collect(owner).failures()).isNotEmpty();
    assertThat(number("SELECT count(*) FROM pgtoaster.store_2_head")).isZero();
  }

  /** A role cannot see when other roles' transactions started. */
  @Test
  void gc_keepsContentThatAnotherRolesTransactionMayReference() throws SQLException {
    db.as(
        owner,
        "INSERT INTO pgtoaster.store_1_head (chunk_size, created_at) VALUES (8100, now() - interval"
            + " '2 h'), (8100, now() - interval '2 days')");
    String gc = "SELECT count(*) FROM pgtoaster.gc_blobs(1, '1 h')";
    try (Connection c = db.database().connect(victim)) {
      c.setAutoCommit(false);
      Sql.run(c, "SELECT 1");
      assertThat(db.rows(owner, gc)).containsExactly("1");
      c.rollback();
      assertThat(db.rows(owner, gc)).containsExactly("2");
    }
  }

  /** Another role has a store for a table in a schema that the owner cannot access. */
  @Test
  void gc_skipsOtherRolesStores() throws SQLException {
    db.as(
        owner,
        "GRANT INSERT ON pgtoaster.catalog_change TO " + thief,
        "GRANT CREATE ON SCHEMA pgtoaster TO " + thief);
    db.as(
        thief,
        "CREATE TABLE lair.own (id int PRIMARY KEY)",
        "SELECT pgtoaster.attach('lair.own', 'content')",
        "REVOKE ALL ON SCHEMA lair FROM PUBLIC");
    leaveADocument();
    assertThat(collect(owner).items()).isNotEmpty();
    assertThat(number("SELECT count(*) FROM pgtoaster.store_2_head")).isZero();
  }

  @Test
  void planEstimates_revealNoBytes() throws SQLException {
    db.as(
        owner, "ANALYZE pgtoaster.store_1_head, pgtoaster.store_1_chunk, pgtoaster.store_1_piece");
    assertThat(
            number(
                "SELECT count(*) FROM pg_stats WHERE tablename LIKE 'store_1_%' AND attname IN"
                    + " ('tail', 'data')"))
        .isZero();
  }
}
