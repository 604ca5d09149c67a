package io.pgtoaster.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a role keeps locked, or drives to its end, keeps others from nothing that is theirs. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class MaintenanceLocksIT extends TenantsSuite {
  @BeforeEach
  void lair() throws SQLException {
    db.database()
        .run(
            "GRANT CREATE ON DATABASE " + db.database().name() + " TO " + thief,
            "GRANT INSERT ON pgtoaster.catalog_change TO " + thief);
    db.as(
        thief,
        "CREATE SCHEMA lair",
        "GRANT USAGE ON SCHEMA lair TO PUBLIC",
        "CREATE TABLE lair.own (id int PRIMARY KEY, doc jsonb, more jsonb)");
  }

  /** PostgreSQL locks a table to show the predicate of its index. */
  @Test
  void lockedTableWithAPartialIndex_keepsNobodyFromDocuments() throws SQLException {
    String impatient = "SET lock_timeout = '2s'";
    db.as(owner, "CREATE TABLE old (id int PRIMARY KEY, doc jsonb)");
    db.as(
        owner,
        "SELECT pgtoaster.attach('old', 'doc', 'keyed')",
        "CREATE TABLE beside (id int, doc jsonb)",
        "CREATE INDEX ON beside (id) WHERE id > 0",
        "ALTER TABLE old DROP COLUMN doc CASCADE");
    try (Connection c = db.database().connect(thief);
        Connection own = db.database().connect(owner)) {
      Sql.run(
          c,
          "CREATE TEMP TABLE x (i int)",
          "CREATE INDEX ON x (i) WHERE i > 0",
          "CREATE INDEX ON lair.own (id) WHERE id IS NULL AND 'pgtoaster_2'::text IS NOT NULL",
          "BEGIN",
          "LOCK TABLE x IN ACCESS EXCLUSIVE MODE",
          "LOCK TABLE lair.own IN ACCESS EXCLUSIVE MODE");
      // What an owner does to a table that has nothing to do with documents.
      Sql.run(own, "BEGIN", "LOCK TABLE beside IN ACCESS EXCLUSIVE MODE");
      db.as(
          victim,
          impatient,
          "SELECT pgtoaster.expand(doc), pgtoaster.get(doc, '{secret}') FROM item",
          "UPDATE item SET id = 3 WHERE id = 1",
          "DELETE FROM item");
      Sql.run(own, "ROLLBACK");
      db.as(
          owner,
          impatient,
          "SELECT pgtoaster.mirror_privileges('item')",
          "CREATE TABLE other (id int PRIMARY KEY)",
          "SELECT pgtoaster.attach('other', 'doc', 'keyed')");
      assertThat(db.rows(owner, "SELECT pgtoaster.drop_orphaned_stores()")).containsExactly("3");
      assertThat(number("SELECT count(*) FROM pgtoaster.store_2_head")).isZero();
    }
  }
}
