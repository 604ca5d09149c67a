package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.pgtoaster.ColumnStatus;
import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A toaster that consists only of SQL functions works with every function of the catalog. */
class SqlToasterIT {
  private static final GcOptions NOW =
      GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO);

  private static final String[] FUNCTIONS = {
    "CREATE SCHEMA mine",
    "CREATE TABLE mine.note (store int, what text)",
    """
    CREATE FUNCTION mine.options(given jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
    BEGIN
      IF given - 'limit' <> '{}' THEN
        RAISE EXCEPTION 'mine has no option but limit' USING ERRCODE = 'invalid_parameter_value';
      END IF;
      RETURN '{"limit": 10}' || given;
    END $$\
    """,
    """
    CREATE FUNCTION mine.attach(owner regclass, name name, key regclass, options jsonb) RETURNS int
    LANGUAGE plpgsql AS $$
    DECLARE
      store int;
    BEGIN
      IF (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = owner AND a.attname = name)
         IS DISTINCT FROM 'text'::regtype THEN
        RAISE EXCEPTION 'mine wants text' USING ERRCODE = 'datatype_mismatch';
      END IF;
      store := pgtoaster.add_store(owner, name, 'mine', NULL, mine.options(options));
      INSERT INTO mine.note VALUES (store, 'attached by ' || key);
      RETURN store;
    END $$\
    """,
    """
    CREATE FUNCTION mine.detach(store int, owner regclass, name name, drop_content boolean)
    RETURNS void LANGUAGE sql AS 'DELETE FROM mine.note n WHERE n.store = $1'\
    """,
    """
    CREATE FUNCTION mine.drop(store int) RETURNS void
    LANGUAGE sql AS 'DELETE FROM mine.note n WHERE n.store = $1'\
    """,
    """
    CREATE FUNCTION mine.set_options(store int, changes jsonb) RETURNS void LANGUAGE sql AS $$
      INSERT INTO pgtoaster.catalog_change (what, store, options)
      SELECT 'set', $1, mine.options(s.options || changes) FROM pgtoaster.store s WHERE s.id = $1 $$\
    """,
    """
    CREATE FUNCTION mine.compare(store int, options jsonb) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT (SELECT s.options @> compare.options FROM pgtoaster.store s WHERE s.id = $1) THEN
        RAISE EXCEPTION 'mine has another limit' USING ERRCODE = 'object_not_in_prerequisite_state';
      END IF;
    END $$\
    """,
    """
    CREATE FUNCTION mine.warnings(store int) RETURNS text[]
    LANGUAGE sql AS 'SELECT array_agg(n.what) FROM mine.note n WHERE n.store = $1'\
    """,
    """
    CREATE FUNCTION mine.measure(store int) RETURNS bigint[]
    LANGUAGE sql AS 'SELECT ARRAY[1, 20, count(*)] FROM mine.note n WHERE n.store = $1'\
    """,
    """
    CREATE FUNCTION mine.collect(store int, grace interval, list_only boolean)
    RETURNS TABLE (kind text, id bigint, bytes bigint, description text) LANGUAGE plpgsql AS $$
    BEGIN
      RETURN QUERY SELECT 'note', 7::bigint, 5::bigint, n.what FROM mine.note n
                   WHERE n.store = $1 AND n.what = 'old';
      DELETE FROM mine.note n WHERE n.store = $1 AND n.what = 'old' AND NOT list_only;
    END $$\
    """,
    // Blobs as base64 in a text column; this toaster cannot seal.
    """
    CREATE FUNCTION mine.stored(owner regclass, name name, same text, key text[]) RETURNS bytea
    LANGUAGE plpgsql AS $$
    DECLARE
      n int;
      bytes bytea;
    BEGIN
      EXECUTE format('SELECT decode(o.%I, ''base64'') FROM %s o WHERE %s', name, owner, same)
        INTO bytes USING NULL::text, key;
      GET DIAGNOSTICS n = ROW_COUNT;
      IF n = 0 THEN
        PERFORM pgtoaster.refuse_blob('row', owner, name, key);
      END IF;
      RETURN bytes;
    END $$\
    """,
    """
    CREATE FUNCTION mine.put(owner regclass, name name, same text, key text[], bytes bytea) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      EXECUTE format('UPDATE %s o SET %I = encode($1, ''base64'') WHERE %s', owner, name, same)
        USING bytes, key;
    END $$\
    """,
    """
    CREATE FUNCTION mine.add(store int, owner regclass, name name, same text, key text[], data bytea,
      expected bigint, writer uuid, sequence bigint, OUT at bigint, OUT count bigint, OUT what text)
    LANGUAGE plpgsql AS $$
    DECLARE
      bytes bytea := coalesce(mine.stored(owner, name, same, key), '');
    BEGIN
      at := octet_length(bytes);
      count := octet_length(data);
      what := 'applied';
      PERFORM mine.put(owner, name, same, key, bytes || data);
    END $$\
    """,
    """
    CREATE FUNCTION mine.get(store int, owner regclass, name name, same text, key text[], at bigint,
      count int) RETURNS bytea
    LANGUAGE sql AS 'SELECT substr(mine.stored(owner, name, same, key), at::int + 1, count)'\
    """,
    """
    CREATE FUNCTION mine.size(store int, owner regclass, name name, same text, key text[])
    RETURNS bigint
    LANGUAGE sql AS 'SELECT octet_length(mine.stored(owner, name, same, key))'\
    """,
    """
    CREATE FUNCTION mine.write(store int, owner regclass, name name, same text, key text[], at bigint,
      data bytea) RETURNS void
    LANGUAGE sql AS 'SELECT mine.put(owner, name, same, key,
      overlay(mine.stored(owner, name, same, key) PLACING data FROM at::int + 1))'\
    """,
    """
    SELECT pgtoaster.create_toaster('mine', routines => '{"attach": "mine.attach",
      "options": "mine.options", "detach": "mine.detach", "drop": "mine.drop",
      "set_options": "mine.set_options", "compare": "mine.compare", "warnings": "mine.warnings",
      "measure": "mine.measure", "collect": "mine.collect", "blob_append": "mine.add",
      "blob_read": "mine.get", "blob_length": "mine.size", "blob_write": "mine.write"}')\
    """,
    "CREATE TABLE item (id int PRIMARY KEY, body text, doc jsonb)",
  };

  @AutoClose private Database database;
  private PgToaster toaster;

  @BeforeEach
  void open() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    toaster = PgToaster.create(database.dataSource());
    database.run(FUNCTIONS);
  }

  private int attach(String options) {
    return (int)
        database.number("SELECT pgtoaster.attach('item', 'body', 'mine', '" + options + "')");
  }

  private ColumnStatus status() {
    return toaster.catalog().status().get(0);
  }

  private void refused(String message, String statement) {
    try (Connection c = database.connect()) {
      assertThatThrownBy(() -> Sql.run(c, statement))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(message);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void attach_callsTheToaster_withItsOptionsAndType() {
    refused(
        "mine has no option", "SELECT pgtoaster.attach('item', 'body', 'mine', '{\"tail\": 5}')");
    refused("mine wants text", "SELECT pgtoaster.attach('item', 'doc', 'mine')");
    int store = attach("{\"limit\": 12}");
    assertThat(database.strings("SELECT what FROM mine.note WHERE store = " + store))
        .containsExactly("attached by public.item_pkey");
    assertThat(status().options()).isEqualTo(Map.of("limit", "12"));
    refused("already attached", "SELECT pgtoaster.attach('item', 'body', 'mine')");
    database.string("SELECT pgtoaster.attach_if_absent('item', 'body', 'mine', '{\"limit\": 12}')");
    refused(
        "mine has another limit",
        "SELECT pgtoaster.attach_if_absent('item', 'body', 'mine', '{\"limit\": 13}')");
  }

  @Test
  void setOptions_callsTheToaster() {
    attach("{}");
    database.string("SELECT pgtoaster.set_options('item', 'body', '{\"limit\": 30}')");
    assertThat(status().options()).isEqualTo(Map.of("limit", "30"));
    refused("mine has no option", "SELECT pgtoaster.set_options('item', 'body', '{\"tail\": 1}')");
  }

  @Test
  void status_callsTheToaster() {
    attach("{}");
    assertThat(status().warnings()).containsExactly("attached by public.item_pkey");
    assertThat(List.of(status().contents(), status().bytes(), status().storedRows()))
        .containsExactly(1L, 20L, 1L);
  }

  @Test
  void gc_callsTheToaster_evenWithoutItsJar() {
    int store = attach("{}");
    database.run("INSERT INTO mine.note VALUES (" + store + ", 'old')");
    List<GcReport.Item> listed = toaster.catalog().gc(NOW.withDryRun(true)).items();
    assertThat(listed)
        .extracting(
            GcReport.Item::store,
            GcReport.Item::kind,
            GcReport.Item::id,
            GcReport.Item::bytes,
            GcReport.Item::description)
        .containsExactly(tuple(store, "note", 7L, 5L, "old"));
    assertThat(toaster.catalog().gc(NOW).items()).isEqualTo(listed);
    assertThat(toaster.catalog().gc(NOW).items()).isEmpty();
  }

  @Test
  void blobCalls_goToTheToaster_andMissingFunctionsAreRefused() {
    attach("{}");
    database.run("INSERT INTO item VALUES (1)");
    assertThat(database.strings("SELECT * FROM pgtoaster.blob_append('item', 'body', 1, 'hello')"))
        .containsExactly("0");
    database.string("SELECT pgtoaster.blob_append('item', 'body', '1', '!')");
    database.string("SELECT pgtoaster.blob_write('item', 'body', 1, 0, 'J')");
    assertThat(database.string("SELECT body FROM item")).isEqualTo("SmVsbG8h");
    assertThat(
            database.string(
                "SELECT pgtoaster.blob_length('item', 'body', 1) || ' '"
                    + " || encode(pgtoaster.blob_read('item', 'body', 1, 2, 9), 'escape')"))
        .isEqualTo("6 llo!");
    refused(
        "there is no row public.item.body(2)",
        "SELECT pgtoaster.blob_append('item', 'body', 2, 'hello')");
    refused("does not support blob_seal", "SELECT pgtoaster.blob_seal('item', 'body', 1)");
    refused(
        "does not support blob_truncate", "SELECT pgtoaster.blob_truncate('item', 'body', 1, 0)");
  }

  @Test
  void detachAndDropTable_callTheToaster() {
    attach("{}");
    toaster.catalog().detach(ColumnName.of("item", "body"));
    assertThat(database.number("SELECT count(*) FROM mine.note")).isZero();
    int store = attach("{}");
    database.run("DROP TABLE item");
    assertThat(toaster.catalog().gc(NOW).items())
        .extracting(GcReport.Item::store)
        .containsExactly(store);
    assertThat(database.number("SELECT count(*) FROM mine.note")).isZero();
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @Test
  void toasterInUse_isNotDropped_andTheColumnsAreNamed() throws Exception {
    attach("{}");
    database.run("CREATE TABLE \"Gone\" (id int PRIMARY KEY, body text)");
    database.string("SELECT pgtoaster.attach('\"Gone\"', 'body', 'mine')");
    refused(
        "in use by public.item.body, public.\"Gone\".body",
        "SELECT pgtoaster.drop_toaster('mine')");
    database.run("DROP TABLE \"Gone\"");
    refused("column body of a dropped table", "SELECT pgtoaster.drop_toaster('mine')");
    toaster.catalog().gc(NOW);
    toaster.catalog().detach(ColumnName.of("item", "body"));
    database.string("SELECT pgtoaster.drop_toaster('mine')");
    refused("is not known", "SELECT pgtoaster.attach('item', 'body', 'mine')");
    refused("does not exist", "SELECT pgtoaster.drop_toaster('mine')");
    refused("is built in", "SELECT pgtoaster.drop_toaster('keyed')");
  }

  @Test
  void toasterBeingAttached_isNotDropped() throws Exception {
    try (Connection one = database.connect();
        Connection other = database.connect()) {
      one.setAutoCommit(false);
      Sql.run(one, "SELECT pgtoaster.attach('item', 'body', 'mine')");
      // A longer wait would block other sessions that call attach.
      Sql.run(other, "SET statement_timeout = '30s'");
      assertThatThrownBy(() -> Sql.run(other, "SELECT pgtoaster.drop_toaster('mine')"))
          .hasMessageContaining("an open transaction")
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
      one.commit();
    }
    refused("in use by public.item.body", "SELECT pgtoaster.drop_toaster('mine')");
  }

  @Test
  void attachThatWaitedForTheDropOfItsToaster_isRefused() throws Exception {
    try (Connection one = database.connect();
        Connection other = database.connect()) {
      one.setAutoCommit(false);
      Sql.run(one, "SELECT pgtoaster.drop_toaster('mine')");
      Future<Boolean> attach =
          Wait.start(
              () -> {
                Sql.run(other, "SELECT pgtoaster.attach('item', 'body', 'mine')");
                return true;
              });
      Wait.until(
          "attach waits",
          () ->
              database.number(
                      "SELECT count(*) FROM pg_locks WHERE NOT granted"
                          + " AND relation = 'pgtoaster.store'::regclass AND database ="
                          + " (SELECT oid FROM pg_database WHERE datname = current_database())")
                  > 0);
      one.commit();
      assertThatThrownBy(() -> Wait.get(attach))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("toaster \"mine\" was dropped");
    }
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @Test
  void createToaster_refusesUnsuitableFunctions() {
    String create = "SELECT pgtoaster.create_toaster('yours', routines => '%s')";
    refused("neither a handler nor", create.formatted("{}"));
    refused(
        "no event \"atach\"", create.formatted("{\"attach\": \"mine.attach\", \"atach\": \"x\"}"));
    refused("no function mine.nothing(", create.formatted("{\"attach\": \"mine.nothing\"}"));
    refused(
        "that returns text[]",
        create.formatted("{\"attach\": \"mine.attach\", \"warnings\": \"mine.drop\"}"));
    refused(
        "is built in",
        "SELECT pgtoaster.create_toaster('keyed', routines => '{\"attach\": \"mine.attach\"}')");
    refused(
        "already exists",
        "SELECT pgtoaster.create_toaster('mine', routines => '{\"attach\": \"mine.attach\"}')");
  }

  @Test
  void functionOwnedByAnotherRole_causesAWarning_andIsNotRun() {
    attach("{}");
    database.run(
        "DO $$ BEGIN CREATE ROLE toy_maker; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        "ALTER FUNCTION mine.warnings(int) OWNER TO toy_maker");
    assertThat(status().warnings())
        .singleElement()
        .asString()
        .contains("could change it to run code with the rights of other roles");
    refused("with the rights of other roles", "SELECT pgtoaster.validate('mine')");
  }

  @Test
  void ordinaryRole_canNeitherCreateNorDrop() {
    database.run(
        "DO $$ BEGIN CREATE ROLE toy_maker; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
    for (String call : List.of("create_toaster('a', routines => '{}')", "drop_toaster('mine')")) {
      refused("must be owner", "SET ROLE toy_maker; SELECT pgtoaster." + call);
    }
  }
}
