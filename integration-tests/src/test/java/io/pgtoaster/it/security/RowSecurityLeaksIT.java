package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ways in which a tenant with SQL access could once bypass row security: query plans, cursors over
 * deleted content, documents without a row, and numbers that were never issued.
 */
@Tag("ci")
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class RowSecurityLeaksIT extends TenantsSuite {
  private long document() {
    return number("SELECT doc->'$pgtoaster'->>0 FROM item WHERE id = 1");
  }

  /** Returns the plan of an executed query, and how often the transaction has scanned the table. */
  private List<String> seen(String condition) throws SQLException {
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      List<String> plan =
          Sql.strings(
              c,
              "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) SELECT FROM"
                  + " pgtoaster."
                  + condition);
      plan.replaceAll(line -> line.replaceAll("'[^']*'|> \\d+", "?"));
      plan.addAll(
          Sql.strings(
              c,
              "SELECT seq_scan || ', ' || idx_scan FROM pg_stat_xact_user_tables WHERE relname ="
                  + " 'item'"));
      return plan;
    }
  }

  @Test
  void plans_revealNoHiddenBytes() throws SQLException {
    assertPlansTellNothing();
  }

  private void assertPlansTellNothing() throws SQLException {
    long blob = number("SELECT content FROM item WHERE id = 1");
    for (String part :
        List.of(
            "store_1_head WHERE id = %d AND tail",
            "store_1_chunk WHERE blob_id = %d AND start = 0 AND data",
            "store_1_piece WHERE blob_id = %d AND data")) {
      String condition = part.formatted(blob);
      assertThat(seen(condition + " >= '\\x00'"))
          .as(condition)
          .isEqualTo(seen(condition + " >= '\\xff'"))
          .anyMatch(line -> line.contains("_sees"))
          .noneMatch(line -> line.contains("SubPlan"));
    }
    String nodes = "store_2_node WHERE doc = " + document() + " AND bytes";
    assertThat(seen(nodes + " > 0")).isEqualTo(seen(nodes + " > 2000000000"));
  }

  @Test
  void cursorOlderThanADelete_doesNotShowTheContent() throws SQLException {
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      Sql.run(
          c,
          "DECLARE heads CURSOR FOR SELECT id FROM pgtoaster.store_1_head",
          "DECLARE chunks CURSOR FOR SELECT data FROM pgtoaster.store_1_chunk",
          "DECLARE nodes CURSOR FOR SELECT value FROM pgtoaster.store_2_node");
      db.as(victim, "DELETE FROM item WHERE id = 1");
      for (String cursor : List.of("heads", "chunks", "nodes")) {
        assertThat(Sql.strings(c, "FETCH ALL " + cursor)).as(cursor).isEmpty();
      }
    }
    assertThat(number("SELECT count(*) FROM pgtoaster.store_2_node")).isZero();
  }

  /** This holds even if the tenant knows the key and uses it. */
  @Test
  void documentWithoutARow_cannotBeTaken() throws SQLException {
    String stub = Sql.literal(db.database().string("SELECT doc FROM item WHERE id = 1"));
    db.as(
        owner,
        "ALTER TABLE item DISABLE TRIGGER USER",
        "DELETE FROM item WHERE id = 1",
        "ALTER TABLE item ENABLE TRIGGER USER");
    for (int key : new int[] {1, 3}) {
      db.assertRefused(
          "42501", thief, "INSERT INTO item (id, doc) VALUES (" + key + ", " + stub + ")");
    }
    db.assertRefused("42501", thief, "UPDATE item SET doc = " + stub + " WHERE id = 2");
    assertThat(db.rows(thief, "SELECT value FROM pgtoaster.store_2_node")).isEmpty();
  }

  @Test
  void documentOfADroppedPartition_cannotBeTaken() throws SQLException {
    table(
        "part",
        "id int, tenant name DEFAULT current_user, doc jsonb, PRIMARY KEY (tenant, id)",
        " PARTITION BY LIST (tenant)");
    db.as(
        owner,
        "CREATE TABLE part_victim PARTITION OF part FOR VALUES IN ('" + victim + "')",
        "CREATE TABLE part_thief PARTITION OF part DEFAULT");
    db.as(victim, "INSERT INTO part (id) VALUES (1)");
    db.as(thief, "INSERT INTO part (id) VALUES (2)");
    db.pgToaster(victim).documents("part", "doc").putJson(List.of(victim, 1), JSON);
    String stub = Sql.literal(db.database().string("SELECT doc FROM part WHERE id = 1"));
    db.as(owner, "DROP TABLE part_victim");
    db.assertRefused("42501", thief, "UPDATE part SET doc = " + stub);
    db.assertRefused("42501", thief, "INSERT INTO part (id, doc) VALUES (3, " + stub + ")");
    assertThat(db.rows(thief, "SELECT value FROM pgtoaster.store_4_node")).isEmpty();
  }

  /** Any role can set the parameter that marks the library's writes. */
  @Test
  void headerOfAnotherRow_cannotBeStored_evenWithTheWriteMark() throws SQLException {
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      String write =
          "SELECT set_config('pgtoaster.write', statement_timestamp()::text, true);"
              + "UPDATE item SET doc = jsonb_build_object('$pgtoaster', jsonb_build_array(%d, 1))"
                  .formatted(document());
      assertThat(catchThrowableOfType(SQLException.class, () -> Sql.run(c, write)).getSQLState())
          .isEqualTo("42501");
    }
  }

  /** Otherwise the next user of such a number would get this content. */
  @Test
  void unissuedNumbers_cannotBeUsed() throws SQLException {
    long next = number("SELECT max(id) + 1 FROM pgtoaster.store_1_head");
    for (long id : new long[] {next, next + 5, (2L << 40) - 1, Long.MAX_VALUE}) {
      db.assertRefused(
          "42501",
          thief,
          "INSERT INTO pgtoaster.store_1_head (id, chunk_size) VALUES (" + id + ", 8100)");
    }
    long nextDocument = document() + 1;
    db.assertRefused(
        "42501",
        thief,
        "INSERT INTO pgtoaster.store_2_head (id, owner_1) VALUES (" + nextDocument + ", 2)");
    db.documents(thief).putJson(2, JSON);
    db.blobs(thief).append(2, Bytes.text(1, 9000));
    assertThat(db.blobs(thief).verify(2)).isEmpty();
    assertThat(db.documents(thief).verify(2)).isEmpty();
  }

  @Test
  void policyFunctions_canBeCalledOnlyByUsersOfTheStore() throws SQLException {
    String nobody = db.role("nobody");
    String head = "'pgtoaster.store_1_head', 1, current_user";
    for (String call :
        List.of("store_1_new(" + head + ")", "store_1_sees(1)", "store_2_sees_node(1)")) {
      db.assertRefused("42501", nobody, "SELECT pgtoaster." + call);
    }
    db.as(owner, "REVOKE ALL ON item FROM " + thief, "SELECT pgtoaster.mirror_privileges('item')");
    db.assertRefused("42501", thief, "SELECT pgtoaster.store_1_new(" + head + ")");
    assertThat(db.blobs(victim).verify(1)).isEmpty();
  }

  @Test
  void invalidHeads_doNotPreventOtherRolesMaintenance() throws SQLException {
    db.blobs(thief).append(2, Bytes.text(1, 9000));
    for (String odd :
        List.of(
            "chunk_size = 0",
            "chunk_size = -1",
            "base = 9223372036854775807",
            "base = -1",
            "piece_start = -1",
            "piece_rows = -1")) {
      db.assertRefused("42501", thief, "UPDATE pgtoaster.store_1_head SET " + odd);
    }
    assertThat(PgToaster.create(db.database().dataSource(owner)).catalog().status()).hasSize(2);
  }

  /** An installation over an older catalog keeps the policies unchanged. */
  @Test
  void policiesOfAnotherCatalogVersion_areReportedAndRepaired() throws SQLException {
    String warnings =
        "SELECT unnest(warnings) FROM pgtoaster.status() WHERE column_name = 'content'";
    db.as(owner, "ALTER FUNCTION pgtoaster.store_1_sees(bigint) RENAME TO store_1_saw");
    assertThat(db.rows(owner, warnings))
        .anyMatch(
            w ->
                w.contains("mirror_privileges")
                    && w.contains("the policies of the store are outdated"));
    db.as(owner, "SELECT pgtoaster.mirror_privileges('item')");
    assertThat(db.rows(owner, warnings)).isEmpty();
    assertPlansTellNothing();
  }
}
