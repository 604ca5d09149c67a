package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A tenant, or a role that attaches its own tables, tries to block other roles' maintenance. */
@Tag("ci")
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class MaintenanceAttacksIT extends TenantsSuite {
  @BeforeEach
  void lair() throws SQLException {
    db.database().run("GRANT CREATE ON DATABASE " + db.database().name() + " TO " + thief);
    db.as(thief, "CREATE SCHEMA lair", "GRANT USAGE ON SCHEMA lair TO PUBLIC");
  }

  /** Each node refers to the next one twice, so the number of paths is exponential. */
  @Test
  void sharedNodes_doNotStallExpandRepairAndDetach() throws SQLException {
    String[] forms = {
      "'a', NULL::jsonb, ARRAY[n + 1, n + 1]",
      "'o', jsonb_build_object('a', jsonb_build_object('$pgtoaster', n + 1), 'b', jsonb_build_object('$pgtoaster', n + 1)), ARRAY[n + 1, n + 1]",
      "'o', jsonb_build_object('a', jsonb_build_object('$pgtoaster', n + 1), 'b', jsonb_build_object('$pgtoaster', n + 1)), NULL::bigint[]",
      "'o', jsonb_build_object('a', jsonb_build_object('$pgtoaster', (n + 2) / 2 * 2), 'b', jsonb_build_object('$pgtoaster', (n + 2) / 2 * 2 + 1)), NULL::bigint[]"
    };
    for (int i = 0; i < forms.length; i++) {
      int id = 300 + i;
      String document = "(SELECT id FROM pgtoaster.store_2_head WHERE owner_1 = " + id + ")";
      db.as(
          thief,
          "BEGIN",
          "INSERT INTO item (id) VALUES (" + id + ")",
          "INSERT INTO pgtoaster.store_2_head (owner_1) VALUES (" + id + ")",
          "INSERT INTO pgtoaster.store_2_node (doc, id, kind, bytes, value, kids) SELECT d.d, s.n, s.kind, 9, s.value, s.kids FROM (SELECT "
              + document
              + " AS d) d CROSS JOIN (SELECT n, %s FROM generate_series(1::bigint, 60) n) s(n, kind, value, kids)"
                  .formatted(forms[i]),
          "INSERT INTO pgtoaster.store_2_node (doc, id, kind, bytes, value) SELECT %s, n, 'a', 9, '[1]' FROM generate_series(61, 63) n"
              .formatted(document),
          "SELECT set_config('pgtoaster.write', statement_timestamp()::text, true); UPDATE item SET doc = jsonb_build_object('$pgtoaster', jsonb_build_array("
              + document
              + "), 'x', '{\"$pgtoaster\": 1}'::jsonb) WHERE id = "
              + id,
          "COMMIT");
      db.assertRefused(
          "XX001",
          owner,
          "SET statement_timeout = '60s'",
          "SELECT pgtoaster.expand(doc) FROM item WHERE id = " + id);
    }
    db.assertRefused(
        "XX001", owner, "SET statement_timeout = '60s'", "SELECT pgtoaster.detach('item', 'doc')");
    db.as(
        owner,
        "SET statement_timeout = '60s'",
        "SELECT pgtoaster.repair('item', 'doc', NULL, false)",
        "SELECT pgtoaster.expand(doc) FROM item",
        "SELECT pgtoaster.detach('item', 'doc', true)");
  }

  /** A role that sees a row may follow its blob, but may not do anything else. */
  @Test
  void otherRolesFollowers_areNeitherSilencedNorRemoved() throws SQLException {
    db.as(
        owner,
        "SELECT pgtoaster.set_options('item', 'content', '{\"notify\": true}')",
        "CREATE POLICY sees ON item FOR SELECT USING (true)");
    db.as(
        victim,
        "INSERT INTO pgtoaster.store_1_follower (blob_id, expires) SELECT content, now() + interval '1 h' FROM item WHERE id = 1");
    try (Connection c = db.database().connect(thief);
        var s = c.createStatement()) {
      assertThat(s.executeUpdate("DELETE FROM pgtoaster.store_1_follower")).isZero();
      assertThat(s.executeUpdate("UPDATE pgtoaster.store_1_follower SET notified_at = 'infinity'"))
          .isOne();
    }
    db.blobs(victim).append(1, new byte[1]);
    assertThat(db.rows(owner, "SELECT notified_at < 'infinity' FROM pgtoaster.store_1_follower"))
        .containsExactly("t");
  }

  @Test
  void foreignObjectsOnAStore_areReportedByDetach_withAdvice() throws SQLException {
    db.as(
        thief,
        "CREATE TYPE lair.t AS (x int)",
        "CREATE CAST (lair.t AS pgtoaster.store_2_node) WITH INOUT",
        "CREATE VIEW lair.v AS SELECT id FROM pgtoaster.store_1_head");
    for (String column : List.of("doc", "content")) {
      assertThatThrownBy(
              () -> db.as(owner, "SELECT pgtoaster.detach('item', '%s', true)".formatted(column)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("2BP01"))
          .hasMessageContaining("lair")
          .hasMessageContaining("DROP CAST");
    }
    // These objects block only the store that they use.
    db.as(
        owner,
        "CREATE TABLE other (id int PRIMARY KEY)",
        "SELECT pgtoaster.attach('other', 'doc', 'keyed')",
        "DROP TABLE other",
        "DROP TABLE item CASCADE");
    assertThat(db.rows(owner, "SELECT pgtoaster.drop_orphaned_stores()")).containsExactly("3");
    db.as(thief, "DROP SCHEMA lair CASCADE");
    assertThat(db.rows(owner, "SELECT pgtoaster.drop_orphaned_stores()")).containsExactly("1", "2");
  }

  @Test
  void hugeIndexExpressions_doNotPreventStatus() throws SQLException {
    db.as(
        owner,
        "CREATE TABLE other (id int PRIMARY KEY, doc jsonb)",
        "SELECT pgtoaster.attach('other', 'doc', 'keyed')",
        "DO $$ BEGIN EXECUTE (SELECT format('CREATE POLICY p ON other USING (%s)', string_agg(format('(doc -> ''k%s'') IS NULL', i), ' OR ')) FROM generate_series(1, 40000) i); END $$",
        "SET statement_timeout = '60s'",
        "SELECT count(*) FROM pgtoaster.status()");
  }

  /** The owner of a store has dropped a column of one of its tables. */
  @Test
  void invalidStoreOfAnotherRole_doesNotPreventInstallation() throws Exception {
    db.as(owner, "ALTER TABLE pgtoaster.store_2_head DROP COLUMN owner_1 CASCADE");
    try (Connection c = db.database().connect(owner)) {
      db.pgToaster(owner).catalog().install();
      assertThat(Sql.strings(c, "SELECT store FROM pgtoaster.status()")).hasSize(2);
    }
  }

  /** Otherwise a role could attach a table before it exists, by its future number. */
  @Test
  void tableThatDoesNotExistYet_cannotBeAttached() throws SQLException {
    db.database().run("GRANT INSERT ON pgtoaster.catalog_change TO " + thief);
    db.as(thief, "CREATE TABLE lair.own (id int PRIMARY KEY, doc jsonb)");
    db.assertRefused(
        "42501",
        thief,
        "INSERT INTO pgtoaster.catalog_change (what, owner, column_name, toaster, options) SELECT"
            + " 'add', (max(oid::int8) + 100000)::oid::regclass, 'doc', 'keyed',"
            + " pgtoaster.document_options('{}') FROM pg_class");
    db.as(
        thief,
        "SELECT pgtoaster.attach('lair.own', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')",
        "DROP TABLE lair.own");
    db.assertRefused(
        "42501",
        thief,
        "INSERT INTO pgtoaster.catalog_change (what, store, options) SELECT 'set', max(id),"
            + " pgtoaster.document_options('{}') FROM pgtoaster.store");
    db.as(thief, "SELECT pgtoaster.drop_orphaned_stores()");
    assertThat(number("SELECT count(*) FROM pgtoaster.store WHERE id > 2")).isZero();
  }

  @Test
  void optionsOfAStore_areLimited_andAColumnHasOnlyOneStore() throws SQLException {
    db.database().run("GRANT INSERT ON pgtoaster.catalog_change TO " + thief);
    String add =
        "INSERT INTO pgtoaster.catalog_change (what, owner, column_name, toaster, options) VALUES"
            + " ('add', 'lair.own', '%s', '%s', %s)";
    db.as(
        thief,
        "CREATE TABLE lair.own (id int PRIMARY KEY, doc jsonb)",
        "SELECT pgtoaster.attach('lair.own', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')");
    db.assertRefused(
        "54000",
        thief,
        add.formatted("x", "default", "jsonb_build_object('x', repeat('y', 65536))"));
    db.assertRefused("42622", thief, add.formatted("x", "y".repeat(64), "'{}'"));
    db.assertRefused(
        "54000",
        thief,
        "SELECT pgtoaster.set_options('lair.own', 'doc', jsonb_build_object('keep_inline',"
            + " (SELECT jsonb_agg('/' || i || repeat('y', 100)) FROM generate_series(1, 1000) i)))");
    db.assertRefused(
        "42710", thief, add.formatted("doc", "keyed", "pgtoaster.document_options('{}')"));
    db.as(owner, "SELECT count(*) FROM pgtoaster.status()");
  }

  /** Reads report the damaged node, and repair sets it aside. */
  @Test
  void nodesOfTheWrongKind_areReportedAsDamage() throws SQLException {
    String[] forms = {
      "'o', '[1, 2]', NULL", "'a', '{\"a\": 1}', NULL", "'a', '1', NULL", "'o', '\"text\"', NULL",
      "'v', '{\"a\": 1}', NULL", "'x', '1', NULL", "'v', NULL, NULL", "'s', NULL, '{}'",
      "'o', '{\"$pgtoaster\": 3}', '{3}'", "'o', NULL, '{3}'"
    };
    for (int i = 0; i < forms.length; i++) {
      oddDocument(300 + i, "(2, " + forms[i] + "), (3, 's', '\"x\"', NULL)");
      assertThatThrownBy(
              () ->
                  db.as(
                      owner, "SELECT count(pgtoaster.expand(doc)::text) FROM item WHERE id >= 300"))
          .as(forms[i])
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("XX001"))
          .hasMessageMatching(
              "(?s).*document [0-9]+: (node 2 does not have the kind|branch 2 is not).*");
      // {@code verify} follows a marker in the place of a leaf.
      assertThat(db.documents(owner).verify(300 + i).isEmpty())
          .as(forms[i])
          .isEqualTo(forms[i].contains("$"));
      db.assertRefused("XX001", owner, "SELECT pgtoaster.detach('item', 'doc')");
      assertThat(db.rows(owner, "SELECT problem FROM pgtoaster.repair('item', 'doc', NULL, false)"))
          .as(forms[i])
          .anyMatch(p -> p.startsWith("node 2 does not have the kind"));
      assertThat(db.rows(owner, "SELECT problem FROM pgtoaster.repair('item', 'doc')")).isEmpty();
      db.as(owner, "DELETE FROM pgtoaster.store_2_aside");
    }
    db.as(
        owner, "SELECT pgtoaster.expand(doc) FROM item", "SELECT pgtoaster.detach('item', 'doc')");
  }

  /** The nodes nest so deeply that recursion exceeds the stack. */
  @Test
  void deeplyNestedNodes_failOnlyTheirOwnRow() throws SQLException {
    String chain =
        "SELECT n, 'o', jsonb_build_object('x', jsonb_build_object('$pgtoaster', n + 1)), ARRAY[n + 1] FROM generate_series(%d, 901) n UNION ALL SELECT 902, 'o', '{}', NULL";
    oddDocument(300, chain.formatted(2));
    oddDocument(301, "(2, 'o', '{}', NULL), " + "(3, 's', '1', NULL)");
    oddDocument(
        302, "SELECT 2, 's', '\"x\"'::jsonb, NULL::bigint[] UNION ALL " + chain.formatted(650));
    db.assertRefused("54001", owner, "SELECT pgtoaster.expand(doc) FROM item WHERE id = 300");
    assertThatThrownBy(() -> db.as(owner, "SELECT pgtoaster.detach('item', 'doc')"))
        .hasMessageContaining("cannot become plain jsonb")
        .hasMessageContaining("set its column to NULL");
    assertThat(
            db.rows(
                owner,
                "SELECT key[1] || ': ' || problem FROM pgtoaster.repair('item', 'doc', NULL, false)"))
        .contains("301: branch 3 has no reference")
        .anyMatch(p -> p.startsWith("302: its document cannot be repaired: stack depth"));
  }

  private void oddDocument(int id, String nodes) throws SQLException {
    String document = "(SELECT id FROM pgtoaster.store_2_head WHERE owner_1 = " + id + ")";
    db.as(
        thief,
        "BEGIN",
        "INSERT INTO item (id) VALUES (" + id + ")",
        "INSERT INTO pgtoaster.store_2_head (owner_1) VALUES (" + id + ")",
        "INSERT INTO pgtoaster.store_2_node (doc, id, kind, bytes, value, kids) SELECT %s, n.id::bigint, n.kind::\"char\", 9, n.value::jsonb, n.kids::bigint[] FROM (%s) n(id, kind, value, kids)"
            .formatted(document, nodes.startsWith("(") ? "VALUES " + nodes : nodes),
        "UPDATE item SET doc = jsonb_build_object('$pgtoaster', jsonb_build_array("
            + document
            + "), 'x', '{\"$pgtoaster\": 2}'::jsonb) WHERE id = "
            + id,
        "COMMIT");
  }

  /** Names that look like placeholders in the text of a routine. */
  @Test
  void namesThatLookLikePlaceholders_areNames() throws SQLException {
    db.database().run("GRANT INSERT ON pgtoaster.catalog_change TO " + thief);
    db.as(
        thief,
        "CREATE SCHEMA \"o{owned}{column}\"",
        "CREATE COLLATION lair.\"{node}'||lair.e()||'\" FROM \"C\"",
        "CREATE TABLE \"o{owned}{column}\".own (k text COLLATE lair.\"{node}'||lair.e()||'\""
            + " PRIMARY KEY, doc jsonb)",
        "INSERT INTO \"o{owned}{column}\".own VALUES ('x', '{}')",
        "SELECT pgtoaster.attach('\"o{owned}{column}\".own', 'doc', 'keyed', '{\"store_schema\":"
            + " \"owner\"}')",
        "UPDATE \"o{owned}{column}\".own SET doc = pgtoaster.set(doc, '{a}', '1')");
    assertThat(number("SELECT (doc ->> 'a')::int FROM \"o{owned}{column}\".own")).isEqualTo(1);
    assertThat(
            number(
                "SELECT count(*) FROM pg_proc WHERE proname LIKE 'store\\_3\\_%' AND prosrc LIKE"
                    + " '%\"o{owned}{column}\".store_3_%'"))
        .isGreaterThanOrEqualTo(5);
  }
}
