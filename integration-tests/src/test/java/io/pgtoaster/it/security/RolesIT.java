package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects that a hostile role creates do not give it the rights of other roles. */
class RolesIT {
  /** Records its caller and returns a valid value. */
  private static final String TRAP =
      """
      CREATE FUNCTION %s RETURNS %s LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO public.caught VALUES (current_user);
        RETURN %s;
      END $$
      """;

  private Database database;
  private String owner;
  private String hostile;

  @BeforeEach
  void roles() {
    database = PostgresServers.shared(PostgresServers.newest()).database();
    owner = database.name() + "_owner";
    hostile = database.name() + "_hostile";
    database.run(
        "CREATE ROLE " + owner + " LOGIN",
        "CREATE ROLE " + hostile + " LOGIN",
        "GRANT CREATE ON SCHEMA public TO " + owner + ", " + hostile,
        "GRANT CREATE ON DATABASE " + database.name() + " TO " + hostile,
        "CREATE TABLE public.caught (role text)",
        "GRANT INSERT, SELECT ON public.caught TO PUBLIC");
  }

  @AfterEach
  void drop() {
    for (String role : new String[] {owner, hostile}) {
      database.run("DROP OWNED BY " + role + " CASCADE", "DROP ROLE " + role);
    }
  }

  private void as(String role, String... statements) throws SQLException {
    try (Connection c = database.connect(role)) {
      Sql.run(c, statements);
    }
  }

  private void assertDenied(String role, String statement) {
    assertThatThrownBy(() -> as(role, statement))
        .as(statement)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
  }

  private void assertNobodyCaught() {
    assertThat(database.strings("SELECT role FROM public.caught")).isEmpty();
  }

  private Catalog install() {
    Catalog catalog = PgToaster.create(database.dataSource()).catalog();
    catalog.install();
    return catalog;
  }

  private static String grants(String role) {
    return "GRANT INSERT ON pgtoaster.catalog_change TO " + role;
  }

  /** Creates the owner's table with a blob and a split document in its first row. */
  private void attached() throws SQLException {
    as(
        owner,
        "CREATE TABLE public.item (id int PRIMARY KEY, content bigint, doc jsonb)",
        "INSERT INTO item VALUES (1), (2)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + hostile);
    database.run(
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    PgToaster.create(database.dataSource(owner))
        .blobs("item", "content")
        .append(1, Bytes.random(1, 9000));
    new Nodes(database, 2).sample("item", "doc", "id = 1", 1);
  }

  /** Fires every trigger with the rights of the table's owner. */
  private void everyTrigger() throws SQLException {
    as(
        hostile,
        "UPDATE item SET id = 3 WHERE id = 1",
        "UPDATE item SET content = NULL",
        "BEGIN; CREATE TEMP TABLE k ON COMMIT DROP AS SELECT * FROM item; DELETE FROM item;"
            + " INSERT INTO item SELECT * FROM k; COMMIT",
        "DELETE FROM item");
    as(owner, "TRUNCATE item");
  }

  @Test
  void operatorOnThePath_isNotUsedByInstall() throws Exception {
    as(
        hostile,
        TRAP.formatted("public.trap(a numeric, b integer)", "numeric", "0"),
        "CREATE OPERATOR public.% (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = public.trap)",
        TRAP.formatted("public.trap(a text, b integer)", "text", "a"),
        "CREATE OPERATOR public.|| (LEFTARG = text, RIGHTARG = integer, FUNCTION = public.trap)");
    install();
    attached();
    assertThat(database.string("SELECT pgtoaster.document_id(doc) FROM item WHERE id = 1"))
        .isNotNull();
    everyTrigger();
    assertThat(PgToaster.create(database.dataSource()).catalog().status()).hasSize(2);
    assertNobodyCaught();
  }

  /**
   * An operator on arrays of one type is a better match than pg_catalog's operators on any array.
   */
  @Test
  void arrayOperatorsOnThePath_areNotUsedByEdits() throws Exception {
    install();
    attached();
    as(
        hostile,
        TRAP.formatted("public.trap(a bigint[], b bigint[])", "bigint[]", "a"),
        "CREATE OPERATOR public.|| (LEFTARG = bigint[], RIGHTARG = bigint[], FUNCTION = public.trap)",
        TRAP.formatted("public.trap(a bytea[], b bytea[])", "bytea[]", "a"),
        "CREATE OPERATOR public.|| (LEFTARG = bytea[], RIGHTARG = bytea[], FUNCTION = public.trap)",
        TRAP.formatted("public.trap(a name[], b name[])", "boolean", "true"),
        "CREATE OPERATOR public.= (LEFTARG = name[], RIGHTARG = name[], FUNCTION = public.trap)");
    DocumentColumn documents =
        PgToaster.create(database.dataSource(owner)).withoutExtension().documents("item", "doc");
    String many =
        IntStream.range(0, 3001)
            .mapToObj("\"element %d\""::formatted)
            .collect(Collectors.joining(", "));
    documents.putJson(2, "{\"list\": [" + many + "], \"map\": {\"k\": [" + many + "]}}");
    for (int i = 0; i < 30; i++) {
      documents.at(2, "list[" + i * 100 + "]").insert("x".repeat(900));
      documents.at(2, "map.m" + i).set("x".repeat(900));
      as(
          owner,
          "UPDATE item SET doc = pgtoaster.insert(doc, '{list,%d}', '\"y\"') WHERE id = 2"
              .formatted(i * 100));
    }
    for (int i = 0; i < 200; i++) {
      documents.at(2, "list[100]").remove();
    }
    assertThat(documents.verify(2)).isEmpty();
    assertThat(documents.at(2, "list").size()).hasValue(3001 + 60 - 200);
    assertNobodyCaught();
  }

  @Test
  void install_keepsTheCallersSearchPath() throws Exception {
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      Sql.run(c, "SET search_path = public, pg_temp");
      PgToaster.on(c).catalog().install();
      assertThat(Sql.string(c, "SHOW search_path")).isEqualTo("public, pg_temp");
    }
  }

  @Test
  void scriptOutsideTransaction_isRefused() throws Exception {
    String script = Catalog.script("catalog/catalog.sql");
    try (Connection c = database.connect()) {
      String[] statements = script.split(";\n(?=\n|SET LOCAL)");
      assertThatThrownBy(() -> Sql.run(c, statements))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P01"))
          .hasMessageContaining("BEGIN before the first file");
    }
    assertThat(database.string("SELECT to_regnamespace('pgtoaster')")).isNull();
  }

  @Test
  void overloadedHelper_isNotCalledByTriggers() throws Exception {
    install();
    attached();
    database.run("GRANT CREATE ON SCHEMA pgtoaster TO " + hostile);
    for (String helper : new String[] {"adopt_document", "release_document", "is_owned"}) {
      as(
          hostile,
          TRAP.formatted(
              "pgtoaster." + helper + "(store integer, relation oid, new_row public.item)",
              "boolean",
              "true"),
          TRAP.formatted("pgtoaster." + helper + "(store integer, id integer)", "boolean", "true"));
    }
    everyTrigger();
    assertNobodyCaught();
  }

  @Test
  void triggerFunctions_callOnlyTheServersFunctions_andCannotBeCalled() throws Exception {
    install();
    attached();
    database.run(
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY", "SELECT pgtoaster.mirror_privileges('item')");
    assertThat(database.strings("SELECT proname FROM pg_proc WHERE prosecdef ORDER BY proname"))
        .isNotEmpty()
        .allMatch(name -> name.matches("store_[12]_[a-z]+|do_change"));
    assertThat(
            database.strings(
                "SELECT proname FROM pg_proc WHERE prosecdef AND (NOT 'search_path=pg_catalog, pg_temp' = ANY (proconfig)"
                    + " OR pg_get_userbyid(proowner) <> '%s' AND proname LIKE 'store%%')"
                        .formatted(owner)))
        .isEmpty();
    // Policies call these functions, so roles that may use the store may execute them. They reveal
    // only information about the current transaction.
    assertThat(
            database.strings(
                "SELECT proname FROM pg_proc WHERE prosecdef AND has_function_privilege('%s', oid,"
                        .formatted(hostile)
                    + " 'EXECUTE') ORDER BY proname"))
        .containsExactly(
            "store_1_alone",
            "store_1_free",
            "store_1_named",
            "store_1_new",
            "store_1_own",
            "store_2_free",
            "store_2_named",
            "store_2_new",
            "store_2_own",
            "store_2_placed");
  }

  @Test
  void triggers_workWithoutAnyFunctionOfTheCatalog() throws Exception {
    install();
    attached();
    for (String rename :
        database.strings(
            "SELECT format('ALTER ROUTINE %s RENAME TO %I', oid::regprocedure, 'gone_' || proname)"
                + " FROM pg_proc WHERE pronamespace = 'pgtoaster'::regnamespace"
                + " AND proname !~ '^store_[0-9]'")) {
      database.run(rename);
    }
    everyTrigger();
    assertThat(new Nodes(database, 2).heads()).isZero();
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
  }

  @Test
  void policyFunction_readsNoOtherTable() throws Exception {
    install();
    attached();
    database.run(
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY", "SELECT pgtoaster.mirror_privileges('item')");
    as(
        hostile,
        TRAP.formatted("public.trap()", "bigint", "1"),
        "CREATE SCHEMA mine",
        "CREATE VIEW mine.store_1_head AS SELECT public.trap() AS id, '1'::xid AS xmin",
        "GRANT USAGE ON SCHEMA mine TO PUBLIC",
        "GRANT SELECT ON mine.store_1_head TO PUBLIC",
        "SELECT pgtoaster.store_1_own('mine.store_1_head', 1, current_user)",
        "SELECT pgtoaster.store_1_new('mine.store_1_head', 1, current_user)",
        "SELECT pgtoaster.store_1_free('mine.store_1_head', 1, current_user)");
    assertNobodyCaught();
  }

  @Test
  void schemaOfAnotherRole_isRefused() throws Exception {
    as(hostile, "CREATE SCHEMA pgtoaster");
    assertThat(
            Expect.refused(
                AccessDeniedException.class,
                () -> PgToaster.create(database.dataSource()).catalog().install()))
        .hasMessageContaining("schema pgtoaster belongs to role " + hostile);
    assertThat(
            database.number(
                "SELECT count(*) FROM pg_class WHERE relnamespace = 'pgtoaster'::regnamespace"))
        .isZero();
  }

  @Test
  void objectsOfAnotherRole_areRefused() throws Exception {
    database.run(
        "CREATE SCHEMA pgtoaster", "GRANT CREATE, USAGE ON SCHEMA pgtoaster TO " + hostile);
    String[][] planted = {
      {
        TRAP.formatted("pgtoaster.store_table(store integer, part text)", "text", "''"),
        "DROP FUNCTION pgtoaster.store_table"
      },
      {
        "CREATE TABLE pgtoaster.version (only_row boolean PRIMARY KEY, version integer)",
        "DROP TABLE pgtoaster.version"
      },
      {
        "CREATE OPERATOR pgtoaster.% (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = mod)",
        "DROP OPERATOR pgtoaster.% (numeric, numeric)"
      },
      {"CREATE DOMAIN pgtoaster.name AS text", "DROP DOMAIN pgtoaster.name"}
    };
    for (String[] made : planted) {
      as(hostile, made[0]);
      assertThat(
              Expect.refused(
                  AccessDeniedException.class,
                  () -> PgToaster.create(database.dataSource()).catalog().install()))
          .as(made[0])
          .hasMessageContaining("belongs to role " + hostile);
      as(hostile, made[1]);
    }
    install();
    assertThat(database.number("SELECT count(*) FROM pgtoaster.status()")).isZero();
  }

  private static String change(String what, String columns, String values) {
    return "INSERT INTO pgtoaster.catalog_change (what, %s) VALUES ('%s', %s)"
        .formatted(columns, what, values);
  }

  @Test
  void documentedGrants_doNotChangeOtherRolesStores() throws Exception {
    install();
    attached();
    database.run(grants(hostile));
    as(
        hostile,
        "CREATE TABLE public.own (id int PRIMARY KEY, a bytea)",
        "SELECT pgtoaster.attach('own', 'a', 'default')");
    for (String statement :
        new String[] {
          "UPDATE pgtoaster.store SET options = '{}' WHERE id = 1",
          "UPDATE pgtoaster.store SET column_name = 'doc' WHERE id = 1",
          "UPDATE pgtoaster.store SET owner = 'own' WHERE id = 1",
          "UPDATE pgtoaster.store SET owner = 'item' WHERE owner = 'own'::regclass",
          "UPDATE pgtoaster.store SET head = 'pgtoaster.store_1_head' WHERE owner = 'own'::regclass",
          "UPDATE pgtoaster.store SET id = 1000 WHERE owner = 'own'::regclass",
          "DELETE FROM pgtoaster.store WHERE id = 2",
          "INSERT INTO pgtoaster.store (owner, column_name, toaster) VALUES ('item', 'id', 'keyed')",
          "INSERT INTO pgtoaster.store (owner, column_name, toaster, head)"
              + " VALUES ('own', 'id', 'keyed', 'pgtoaster.store_2_head')",
          change("set", "store, options", "1, '{}'"),
          change("set", "store, column_name", "1, 'doc'"),
          change("set", "store, owner", "1, 'own'"),
          change("set", "store, owner", "3, 'item'"),
          change("set", "store, head", "3, 'pgtoaster.store_1_head'"),
          change("set", "store, head", "3, 'own'"),
          change("set", "store, toaster", "3, 'keyed'"),
          change("drop", "store", "2"),
          change("lock", "store", "1"),
          change("add", "owner, column_name, toaster, options", "'item', 'id', 'keyed', '{}'"),
          change("add", "owner, column_name, toaster, head", "'own', 'id', 'default', 'own'"),
          "BEGIN; LOCK TABLE pgtoaster.store IN ROW EXCLUSIVE MODE",
          "BEGIN; LOCK TABLE pgtoaster.catalog_change IN SHARE ROW EXCLUSIVE MODE",
          "SELECT FROM pgtoaster.store FOR KEY SHARE",
          "SELECT FROM pgtoaster.catalog_change",
          "SELECT pgtoaster.detach('item', 'doc')",
          "SELECT pgtoaster.set_options('item', 'doc', '{\"touch\": \"row\"}')",
          "TRUNCATE pgtoaster.store",
          "ALTER TABLE pgtoaster.store DISABLE TRIGGER ALL",
          "CREATE FUNCTION pgtoaster.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"
        }) {
      assertDenied(hostile, statement);
    }
    as(hostile, "SELECT pgtoaster.detach('own', 'a')");
    assertThat(database.strings("SELECT column_name FROM pgtoaster.store ORDER BY id"))
        .containsExactly("content", "doc");
  }

  @Test
  void roleWithoutCreate_isAdvisedToUseItsOwnSchema() throws Exception {
    install();
    database.run(grants(owner));
    as(owner, "CREATE TABLE public.item (id int PRIMARY KEY)");
    Catalog catalog = PgToaster.create(database.dataSource(owner)).catalog();
    assertThatThrownBy(() -> catalog.attach("item", "content", BlobOptions.defaults()))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("{\"store_schema\": \"owner\"}");
    catalog.attach("item", "content", BlobOptions.defaults().withInOwnerSchema(true));
    assertThat(catalog.status().get(0).warnings()).isEmpty();
  }

  @Test
  void foreignMark_isNotReadWithTheOwnersPrivileges_andDoesNotPreventDelete() throws Exception {
    install();
    attached();
    as(
        hostile,
        "CREATE TABLE public.planted (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO planted SELECT id, doc FROM item WHERE id = 1",
        "CREATE INDEX ON planted (id) WHERE id IS NULL AND 'pgtoaster_2'::text IS NOT NULL",
        "ALTER TABLE planted ENABLE ROW LEVEL SECURITY",
        TRAP.formatted("public.trap()", "boolean", "true"),
        "CREATE POLICY p ON planted USING (public.trap())");
    as(owner, "DELETE FROM item WHERE id = 1");
    assertNobodyCaught();
    // The planted table does not keep any content.
    assertThat(new Nodes(database, 2).heads()).isZero();
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
  }

  @Test
  void viewInPlaceOfATable_isNotReadByStatus() throws Exception {
    install();
    attached();
    database.run("GRANT CREATE ON SCHEMA pgtoaster TO " + owner);
    as(
        owner,
        "ALTER TABLE pgtoaster.store_1_garbage RENAME TO store_1_kept",
        TRAP.formatted("public.trap()", "bigint", "1"),
        "CREATE VIEW pgtoaster.store_1_garbage AS SELECT public.trap() AS id, false AS released, now() AS at",
        "GRANT SELECT ON pgtoaster.store_1_garbage TO PUBLIC");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.status()")).isEqualTo(2);
    assertNobodyCaught();
    as(owner, "DROP VIEW pgtoaster.store_1_garbage");
  }
}
