package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Catalog;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks held by one role, and maximum version numbers, do not stop the work of other roles. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class MaintenanceLocksIT extends TenantsSuite {
  private static final String ENDLESS = "SET statement_timeout = '30s'";

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

  /** PostgreSQL locks a table to print the predicate of its index. */
  @Test
  void lockedTableWithAPartialIndex_doesNotBlockDocuments() throws SQLException {
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
      // The owner locks a table that has nothing to do with documents.
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

  @Test
  void lockedStoresOfOneRole_doNotBlockStatusAndCleanup() throws SQLException {
    db.as(
        thief,
        attach("doc"),
        attach("more"),
        "GRANT SELECT ON ALL TABLES IN SCHEMA lair TO PUBLIC");
    try (Connection c = db.database().connect(thief)) {
      Sql.run(c, "BEGIN", "LOCK TABLE lair.own, lair.store_3_head IN ACCESS EXCLUSIVE MODE");
      assertThat(warnings(owner, ENDLESS))
          .containsExactly(
              "1: {}",
              "2: {}",
              "3: {\"the status of this store is unknown: canceling statement due to lock timeout\"}",
              "4: {\"the status of this store is unknown: another store of the same owner is locked\"}");
      Sql.run(
          c,
          "ROLLBACK",
          "BEGIN",
          "INSERT INTO pgtoaster.catalog_change (what, store) VALUES ('lock', 3), ('lock', 4)");
      db.as(thief, "DROP TABLE lair.own");
      db.as(owner, "DROP TABLE item CASCADE");
      try (Connection admin = db.database().connect()) {
        Sql.run(admin, ENDLESS);
        assertThat(Sql.strings(admin, "SELECT pgtoaster.drop_orphaned_stores()"))
            .containsExactly("1", "2");
        assertThat(Sql.string(admin, "SHOW lock_timeout")).isEqualTo("0");
      }
    }
  }

  @Test
  void lockedRoutinesOfOneRole_delayAnInstallationByOneTimeout() throws SQLException {
    String odd =
        "CREATE OR REPLACE FUNCTION lair.store_%d_pack(doc bigint, value jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT NULL::jsonb'";
    db.database().run("GRANT " + thief + " TO " + owner);
    db.as(thief, attach("doc"), attach("more"), odd.formatted(3), odd.formatted(4));
    List<String> warned = new ArrayList<>();
    try (Connection c = db.database().connect(thief);
        Connection installs = db.database().connect(owner)) {
      Sql.run(c, "BEGIN", odd.formatted(3), odd.formatted(4));
      Sql.run(installs, "SET lock_timeout = '200ms'", "BEGIN");
      for (String name : Catalog.scriptNames()) {
        try (Statement s = installs.createStatement()) {
          s.execute(Catalog.script(name));
          for (SQLWarning w = s.getWarnings(); w != null; w = w.getNextWarning()) {
            warned.add(w.getMessage());
          }
        }
      }
      Sql.run(installs, "COMMIT");
    }
    assertThat(warned)
        .containsExactly(
            "the routines of store 3 were not updated: canceling statement due to lock timeout",
            "the routines of store 4 were not updated: another store of the same owner is locked");
  }

  @Test
  void numberOfStores_isLimitedToTheNumberOfColumns() throws SQLException {
    db.as(thief, attach("doc"));
    db.assertRefused(
        "42703",
        thief,
        "INSERT INTO pgtoaster.catalog_change (what, owner, column_name, toaster) VALUES ('add',"
            + " 'lair.own', 'none', 'mine')");
    db.as(
        thief,
        "INSERT INTO pgtoaster.catalog_change (what, owner, column_name, toaster) VALUES ('add',"
            + " 'lair.own', 'more', 'mine')");
    String set =
        "INSERT INTO pgtoaster.catalog_change (what, store, column_name) VALUES ('set', 4, '%s')";
    db.assertRefused("42710", thief, set.formatted("doc"));
    db.assertRefused("42703", thief, set.formatted("none"));
    db.as(thief, set.formatted("id"), set.formatted("more"));
  }

  /** Otherwise {@code gc} would never remove such content. */
  @Test
  void timesOfContent_cannotBeChosen() {
    for (String head : List.of("1_head (chunk_size, ", "2_head (owner_1, ")) {
      db.assertRefused(
          "42501",
          thief,
          "INSERT INTO pgtoaster.store_" + head + "created_at) VALUES (2, 'infinity')");
    }
  }

  /** The versions are at their maximum and cannot increase. */
  @Test
  void largestContentVersions_causeNoFailure() throws SQLException {
    db.documents(thief).putJson(2, JSON);
    for (String what : List.of("node SET version", "head SET generation")) {
      db.as(thief, "UPDATE pgtoaster.store_2_%s = 9223372036854775807".formatted(what));
      db.as(
          owner,
          "UPDATE item SET doc = pgtoaster.set(doc, '{secret, 2}', '1')",
          "UPDATE item SET doc = pgtoaster.append(doc, '{secret}', to_jsonb(repeat('x', 9000)))",
          "UPDATE item SET doc = pgtoaster.remove(doc, '{secret, 5}')");
      db.documents(owner).putJson(2, JSON);
      db.as(thief, "UPDATE pgtoaster.store_2_%s = 9223372036854775807".formatted(what));
      db.as(owner, "UPDATE item SET doc = doc - 'secret' WHERE id = 2");
      db.documents(owner).putJson(2, JSON);
    }
  }

  @Test
  void usedName_isReportedByAttach_withAdvice() throws SQLException {
    db.as(thief, "CREATE TABLE lair.store_3_head (i int)");
    assertThatThrownBy(() -> db.as(thief, attach("doc")))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42P07"))
        .hasMessageContaining("\"store_3_head\" already exists")
        .hasMessageContaining("takes the next number");
    db.as(thief, attach("doc"));
  }

  private static String attach(String column) {
    return "SELECT pgtoaster.attach('lair.own', '%s', 'keyed', '{\"store_schema\": \"owner\"}')"
        .formatted(column);
  }

  private List<String> warnings(String role, String setting) throws SQLException {
    try (Connection c = db.database().connect(role)) {
      Sql.run(c, setting);
      return Sql.strings(c, "SELECT store || ': ' || warnings::text FROM pgtoaster.status()");
    }
  }
}
