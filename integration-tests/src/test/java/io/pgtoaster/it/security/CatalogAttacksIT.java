package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.UnusualSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Roles that attach their own tables, and tenants, try to block other users of the catalog. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class CatalogAttacksIT {
  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private String owner;
  private String other;
  private String tenant;

  @BeforeEach
  void roles() throws SQLException {
    use(RoleDatabase.copy(setting, CatalogAttacksIT.class, this::create));
  }

  private void use(RoleDatabase database) {
    db = database;
    owner = db.owner();
    other = db.role("other");
    tenant = db.role("tenant");
  }

  private void create(RoleDatabase template) throws SQLException {
    use(template);
    for (String role : new String[] {other, tenant}) {
      db.database().run("GRANT CREATE ON DATABASE " + db.database().name() + " TO " + role);
      db.as(role, "CREATE SCHEMA " + role, "GRANT USAGE ON SCHEMA " + role + " TO PUBLIC");
    }
    db.as(
        owner,
        "GRANT INSERT ON pgtoaster.catalog_change TO " + other,
        "CREATE TABLE item (id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb)",
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON item USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + other + ", " + tenant,
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    db.as(
        other,
        "CREATE TABLE %s.own (id int PRIMARY KEY, doc jsonb)".formatted(other),
        "SELECT pgtoaster.attach('%s.own', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')"
            .formatted(other),
        "SELECT pgtoaster.set_options('%s.own', 'doc', '{\"fan_out\": 64, \"unchanged\": \"error\"}')"
            .formatted(other));
  }

  @Test
  void invalidOptionsOfAStore_areRefused_andDoNotStopStatus() throws SQLException {
    for (String odd :
        new String[] {
          "{\"fan_out\": null}", "{\"fan_out\": \"128\"}", "{\"keep_inline\": 5}", "{\"odd\": 1}"
        }) {
      db.assertRefused(
          "22023",
          other,
          "INSERT INTO pgtoaster.catalog_change (what, store, options) SELECT 'set', id, options || '%s' FROM pgtoaster.store WHERE id = 3"
              .formatted(odd));
    }
    db.assertRefused(
        "22023",
        other,
        "INSERT INTO pgtoaster.catalog_change (what, owner, column_name, toaster) VALUES ('add', '%s.own', 'x', 'keyed')"
            .formatted(other));
    // The catalog's owner may write anything.
    db.as(
        owner,
        "UPDATE pgtoaster.store SET options = options || '{\"fan_out\": null}' WHERE id = 2");
    assertThat(db.pgToaster(tenant).catalog().status()).hasSize(3);
  }

  /**
   * A future number would block the next attach, and an old number would take the place of a
   * dropped store.
   */
  @Test
  void numberOfAStore_cannotBeChosen() throws SQLException {
    db.as(
        other,
        "SELECT pgtoaster.attach('%s.own', 'x', 'appendable', '{\"store_schema\": \"owner\"}')"
            .formatted(other));
    db.as(other, "SELECT pgtoaster.detach('%s.own', 'x')".formatted(other));
    for (int number : new int[] {4, 5, 6, 1000}) {
      db.assertRefused(
          "42501",
          other,
          "INSERT INTO pgtoaster.store (id, owner, column_name, toaster) VALUES (%d, '%s.own', 'y', 'default')"
              .formatted(number, other));
    }
    db.as(
        other,
        "ALTER TABLE %s.own ADD COLUMN y text".formatted(other),
        "INSERT INTO pgtoaster.catalog_change (what, store, owner, column_name, toaster) VALUES ('add', 1000, '%s.own', 'y', 'default')"
            .formatted(other));
    assertThat(db.rows(other, "SELECT id FROM pgtoaster.store WHERE column_name = 'y'"))
        .containsExactly("5");
    db.as(owner, "SELECT pgtoaster.attach('item', 'more')");
  }

  /** The key of the advisory lock that earlier versions took during an installation. */
  @Test
  void foreignAdvisoryLock_doesNotPreventInstallation() throws SQLException {
    db.database().run("ALTER ROLE " + owner + " SET lock_timeout = '5s'");
    try (Connection holder = db.database().connect(tenant)) {
      Sql.run(holder, "SELECT pg_advisory_lock(7308895158489137011)", "BEGIN");
      Sql.run(holder, "LOCK TABLE pgtoaster.version IN ACCESS SHARE MODE");
      PgToaster.create(db.database().dataSource(owner)).catalog().install();
      assertThat(Sql.strings(holder, "SELECT version FROM pgtoaster.version")).hasSize(1);
    }
  }

  /** A waiting installation blocks every session that looks up a column. */
  @Test
  void installation_limitsItsWaitForReadersOfTheCatalog() throws SQLException {
    try (Connection c = db.database().connect(owner)) {
      c.setAutoCommit(false);
      List<String> names = Catalog.scriptNames();
      for (String name : names.subList(0, names.size() - 1)) {
        Sql.run(c, Catalog.script(name));
      }
      assertThat(Sql.strings(c, "SELECT pg_catalog.current_setting('lock_timeout')"))
          .containsExactly("10s");
      Sql.run(c, Catalog.script(names.get(names.size() - 1)));
      assertThat(Sql.strings(c, "SELECT current_setting('lock_timeout')")).containsExactly("0");
    }
  }

  /** The first installation creates the schema and the table that the others lock. */
  @Test
  void concurrentInstallations_allSucceed() throws Exception {
    for (String before :
        new String[] {"SELECT", "CREATE SCHEMA pgtoaster AUTHORIZATION " + owner}) {
      db.database().run("DROP SCHEMA pgtoaster CASCADE", before);
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Callable<Boolean>> all =
            Collections.nCopies(
                4,
                () -> {
                  PgToaster.create(db.database().dataSource(owner)).catalog().install();
                  return true;
                });
        for (Future<Boolean> done : threads.invokeAll(all)) {
          assertThat(done.get()).isTrue();
        }
      } finally {
        threads.shutdownNow();
      }
    }
  }

  /** To plan a query, PostgreSQL evaluates the index expressions of its tables. */
  @Test
  void indexExpressionsOfAnotherRolesStore_areNotRunByStatus() throws SQLException {
    String[] trap = {
      "CREATE TABLE %1$s.loot (who name)",
      "GRANT INSERT ON %1$s.loot TO PUBLIC",
      "CREATE FUNCTION %1$s.act() RETURNS void LANGUAGE sql AS 'INSERT INTO %1$s.loot VALUES (current_user)'",
      "CREATE FUNCTION %1$s.trap(i int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_user"
          + " <> '%1$s' THEN PERFORM %1$s.act(); END IF; RETURN i; END $$",
      "CREATE INDEX ON %1$s.store_3_head ((%1$s.trap(1)))",
      "CREATE INDEX ON %1$s.store_3_node ((%1$s.trap(1)))",
      "CREATE INDEX ON %1$s.store_3_garbage ((%1$s.trap(1)))",
      "CREATE INDEX ON %1$s.store_3_aside ((%1$s.trap(1)))",
      "GRANT SELECT ON %1$s.own TO PUBLIC",
      "GRANT SELECT ON ALL TABLES IN SCHEMA %1$s TO PUBLIC",
      "GRANT SELECT ON ALL SEQUENCES IN SCHEMA %1$s TO PUBLIC",
      "INSERT INTO %1$s.store_3_head (owner_1) VALUES (1)"
    };
    for (String statement : trap) {
      db.as(other, statement.formatted(other));
    }
    String figures = "SELECT contents FROM pgtoaster.status() WHERE store = 3";
    for (String role : new String[] {owner, tenant}) {
      assertThat(db.rows(role, figures)).doesNotContainNull();
    }
    assertThat(db.database().strings(figures)).doesNotContainNull();
    assertThat(db.rows(other, figures)).containsExactly("1");
    assertThat(db.rows(other, "SELECT who FROM %s.loot".formatted(other))).isEmpty();
  }

  /** Returns statements that set a trap: the table of loot has rows if another role has run it. */
  private String[] trap(String name, String arguments, String type, String result) {
    return new String[] {
      "CREATE TABLE IF NOT EXISTS %1$s.loot (who name)".formatted(tenant),
      "GRANT INSERT ON %1$s.loot TO PUBLIC".formatted(tenant),
      "CREATE FUNCTION %s(%s) RETURNS %s LANGUAGE plpgsql AS $$ BEGIN IF current_user <> '%s' THEN INSERT INTO %4$s.loot VALUES (current_user); END IF; RETURN %s; END $$"
          .formatted(name, arguments, type, tenant, result)
    };
  }

  private static String[] all(String[] first, String... more) {
    return Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(String[]::new);
  }

  private void assertNothingRan() throws SQLException {
    assertThat(db.rows(tenant, "SELECT who FROM %s.loot".formatted(tenant))).isEmpty();
  }

  /** PostgreSQL looks up type names in the session's temporary schema first. */
  @Test
  void temporaryTypes_areNotUsedByRoutines() throws SQLException {
    String large = "'{\"list\": [' || repeat('\"abcdefghij\", ', 2000) || '1], \"n\": {\"m\": 1}}'";
    db.as(tenant, "INSERT INTO item (id) VALUES (1)");
    db.documents(tenant).putJson(1, db.rows(tenant, "SELECT " + large).get(0));
    db.as(
        owner,
        "CREATE FUNCTION stamp() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$"
            + " UPDATE item SET doc = pgtoaster.set(doc, '{list,5}', '\"new\"') WHERE id = 1 $$",
        "CREATE FUNCTION peek() RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$"
            + " SELECT pgtoaster.get_text(doc, '{list,5}') FROM item WHERE id = 1 $$");
    for (String type : new String[] {"jsonb", "text", "bytea", "name"}) {
      db.as(
          tenant,
          all(
              trap("pg_temp.evil", "v pg_catalog." + type, "boolean", "true"),
              "CREATE DOMAIN pg_temp.%1$s AS pg_catalog.%1$s CHECK (pg_temp.evil(VALUE))"
                  .formatted(type),
              "SELECT public.stamp()",
              "SELECT public.peek()"));
    }
    assertNothingRan();
    assertThat(db.rows(tenant, "SELECT pgtoaster.get_text(doc, '{list,5}') FROM item"))
        .containsExactly("new");
  }

  /** The server has no operator that multiplies double precision by integer. */
  @Test
  void operatorsMissingInTheServer_areNotUsedByEdits() throws SQLException {
    db.as(
        tenant,
        all(
            trap(
                tenant + ".evil",
                "double precision, integer",
                "double precision",
                "$1 OPERATOR(pg_catalog.*) CAST($2 AS double precision)"),
            "CREATE OPERATOR %1$s.* (leftarg = double precision, rightarg = integer, function = %1$s.evil)"
                .formatted(tenant)));
    db.as(owner, "INSERT INTO item (id, doc) VALUES (1, '{}')");
    db.documents(owner)
        .putJson(1, "{\"list\": [%s]}".formatted("\"abcdefghij\", ".repeat(2000) + "1"));
    db.as(
        owner,
        "SET search_path = %s, public".formatted(tenant),
        "UPDATE item SET doc = pgtoaster.set(doc, '{list,1}', to_jsonb(repeat('y', 30000)))");
    assertNothingRan();
    assertThat(db.documents(owner).verify(1)).isEmpty();
  }

  /** With standard_conforming_strings off, literals end in a different place. */
  @Test
  void literalsOfIndexExpressions_areNotRunByStatus() throws SQLException {
    db.as(
        tenant,
        all(
            trap(tenant + ".evil", "", "text", "'x'"),
            "CREATE TABLE %s.t (id int PRIMARY KEY, doc jsonb)".formatted(tenant)));
    String column = "\" doc -> '\\''||(select %s.evil()) --'::text\"".formatted(tenant);
    db.database().run("GRANT INSERT ON pgtoaster.catalog_change TO " + tenant);
    db.as(
        tenant,
        "ALTER TABLE %s.t ADD COLUMN %s text".formatted(tenant, column),
        "SELECT pgtoaster.attach('%s.t', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')"
            .formatted(tenant),
        "CREATE INDEX ON %s.t (lower(%s))".formatted(tenant, column));
    db.as(
        owner,
        "SET standard_conforming_strings = " + UnusualSettings.conformingStrings(db.database()),
        "SELECT count(warnings) FROM pgtoaster.status()");
    assertNothingRan();
  }
}
