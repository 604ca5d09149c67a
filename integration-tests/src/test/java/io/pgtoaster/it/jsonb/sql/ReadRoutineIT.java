package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The read routine of a store, called from SQL and from the library. */
class ReadRoutineIT {
  private static final int WARM = 21;
  private static final String DOCUMENT =
      IntStream.range(0, 200)
          .mapToObj(
              i -> "\"k%d\": {\"n\": \"%s\", \"$pgtoaster\": %1$d}".formatted(i, "x".repeat(60)))
          .collect(
              Collectors.collectingAndThen(
                  Collectors.joining(", ", "{", "}"),
                  map -> "{\"id\": 1, \"map\": %s, \"list\": [%1$s, 7, %1$s]}".formatted(map)));

  private Database database;
  private DocumentColumn documents;

  @BeforeEach
  void attach() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    database.run(
        "CREATE SCHEMA app",
        "CREATE TYPE app.\"a, (b\" AS ENUM ('one', 'two')",
        "CREATE TABLE app.item (id app.\"a, (b\", c char(4) COLLATE \"C\", n numeric(6,2), PRIMARY KEY (id, c, n))",
        "INSERT INTO app.item VALUES ('one', 'x', 1.5), ('two', 'x', 1.5)",
        "SELECT pgtoaster.attach('app.item', 'doc', 'keyed', '{\"store_schema\": \"owner\", \"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}')");
    documents = documents("app", new Recorder());
    documents.putJson(List.of("one", "x", 1.5), DOCUMENT);
  }

  @AfterEach
  void drop() {
    database.run("DROP SCHEMA IF EXISTS app, renamed CASCADE");
  }

  private DocumentColumn documents(String schema, Recorder recorder) {
    return PgToaster.create(recorder.record(database.dataSource()))
        .documents(ColumnName.of(schema, "item", "doc"));
  }

  private static String call(String path, String what) {
    return "SELECT app.store_1_read(id, c, n, doc, '{%s}', '%s') FROM app.item WHERE id = 'one'"
        .formatted(path, what);
  }

  private String read(String path, String what) {
    return database.string(call(path, what));
  }

  @Test
  void keysOfAnyType_matchTheHead() {
    assertThat(documents.at(List.of("one", "x", 1.5), "list[1]").text()).contains("7");
    assertThat(documents.text(List.of("one", "x", 1.5)).map(Documents::canonical))
        .contains(Documents.canonical(DOCUMENT));
    assertThat(documents.textAll(List.of(List.of("one", "x", 1.5)), DocumentPath.of("id")))
        .hasSize(1);
  }

  @Test
  void path_isFollowedAsInAPlainDocument() {
    for (String path :
        List.of(
            "id",
            "nope",
            "id,x",
            "list,1",
            "list,-2",
            "list,\" +1\"",
            "list,000000000000000000001",
            "list,3",
            "list,-4",
            "list,x",
            "list,1 ",
            "list,99999999999",
            "list,0,k7,n",
            "list,-1,k199,n",
            "map,k100,n",
            "map,k100,n,x",
            "map,k",
            "map,-1",
            "map,\"\"",
            "list,\"\"")) {
      assertThat(read(path, "text"))
          .as(path)
          .isEqualTo(
              database.string(
                  "SELECT CAST(CAST('%s' AS jsonb) #> '{%s}' AS text)".formatted(DOCUMENT, path)));
    }
    assertThat(read("map,k7,$$pgtoaster", "text")).isEqualTo("7");
    assertThat(read("list", "size")).isEqualTo("array 3");
    assertThat(read("list,2", "size")).isEqualTo("object 200");
    assertThat(read("", "size")).isEqualTo("object 3");
    assertThat(read("list,1", "type")).isEqualTo("number");
    assertThat(read("map,nope", "type")).isNull();
  }

  @Test
  void place_consistsOfTheNodeAndTheRestOfThePath() {
    assertThat(read("map,nope", "place")).isNull();
    assertThat(read("id", "place")).matches("\\{\\d+,\"\",\"\",id}");
    assertThat(read("", "place")).matches("\\{\\d+,\"\",\"\"}");
    assertThat(read("map", "place")).matches("\\{\\d+,\\d+,\"\"}");
    assertThat(read("map,k7,n", "place")).matches("\\{\\d+,\\d+,\"\",k7,n}");
    documents.putJson(
        List.of("two", "x", 1.5),
        DOCUMENT.replace("\"map\": {", "").replaceFirst("}, \"list\"", ", \"list\""));
    String rest =
        database.string(
            "SELECT app.store_1_read(id, c, n, doc, '{}', 'place') FROM app.item WHERE id = 'two'");
    assertThat(rest).matches("\\{\\d+,(\\d+,\"\"|\"\",\\d+)}");
  }

  @Test
  void cyclicNodes_areReportedAsDamage() throws SQLException {
    for (String kids : List.of("array_fill(id, ARRAY[cardinality(kids)])", "kids || kids")) {
      try (Connection connection = database.connect()) {
        Sql.run(connection, "SET statement_timeout = '20s'", "BEGIN");
        Sql.run(connection, "UPDATE app.store_1_node SET kids = " + kids + " WHERE value IS NULL");
        assertDamaged(connection, call("map", "size"));
        if (kids.startsWith("array")) {
          assertDamaged(connection, call("map,k7,n", "text"));
          assertDamaged(connection, call("map,k7,n", "type"));
          // The routine leaves this to a stream, which detects the damage.
          assertThat(Sql.string(connection, call("map", "text"))).isEmpty();
        }
      }
    }
    try (Connection connection = database.connect()) {
      Sql.run(connection, "BEGIN", "DELETE FROM app.store_1_node WHERE value IS NOT NULL");
      for (String what : List.of("text", "type", "size", "place")) {
        assertDamaged(connection, call("map,k7,n", what));
      }
      Sql.run(connection, "UPDATE app.store_1_head SET owner_2 = 'y'");
      for (String what : List.of("text", "type", "size", "place")) {
        assertDamaged(connection, call("list", what));
        assertDamaged(connection, call("", what));
      }
    }
  }

  @Test
  void nodeWithoutValueAndChildren_isReportedAsDamage() throws SQLException {
    try (Connection connection = database.connect()) {
      Sql.run(connection, "BEGIN", "UPDATE app.store_1_node SET kids = NULL WHERE value IS NULL");
      for (String what : List.of("text", "type", "size", "place")) {
        assertDamaged(connection, call("map", what));
      }
    }
  }

  private static void assertDamaged(Connection connection, String query) throws SQLException {
    Sql.run(connection, "SAVEPOINT s");
    Throwable thrown = catchThrowable(() -> Sql.string(connection, query));
    assertThat(thrown).as(query).isInstanceOf(SQLException.class);
    assertThat(((SQLException) thrown).getSQLState()).isEqualTo("XX001");
    assertThat(thrown).hasMessageContaining("one, x   , 1.50");
    Sql.run(connection, "ROLLBACK TO s");
  }

  @Test
  void afterASchemaRename_readsLoadTheWholeDocument_untilTheRoutineIsReplaced()
      throws SQLException {
    database.run("ALTER SCHEMA app RENAME TO renamed");
    Object key = List.of("one", "x", 1.5);
    DocumentColumn renamed = documents("renamed", new Recorder());
    assertThat(ColumnAccess.column(renamed).routines()).isFalse();
    assertThat(renamed.text(key).map(Documents::canonical)).contains(Documents.canonical(DOCUMENT));
    try (Connection connection = database.dataSource().getConnection()) {
      DocumentColumn inMine =
          PgToaster.on(connection).documents(ColumnName.of("renamed", "item", "doc"));
      assertThat(inMine.text(List.of("two", "x", 1.5))).isEmpty();
      assertThat(inMine.text(key).map(Documents::canonical))
          .contains(Documents.canonical(DOCUMENT));
    }
    for (ThrowingCallable read :
        List.<ThrowingCallable>of(
            () -> renamed.at(key, "list[1]").text(),
            () -> renamed.textAll(List.of(key), DocumentPath.of("id")),
            () -> renamed.at(key, "map").exists(),
            () -> renamed.at(key, "map").size(),
            () -> renamed.at(key, "map").keys(),
            () -> renamed.at(key, "list").slice(0, 1),
            () -> renamed.stream(key),
            () -> renamed.at(key, "id").set(2))) {
      assertThatThrownBy(read)
          .isInstanceOf(CatalogException.class)
          .hasMessageContaining("SELECT pgtoaster.mirror_privileges('\"renamed\".\"item\"')");
    }
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).contains("routines");
    database.run("SELECT pgtoaster.mirror_privileges('renamed.item')");
    DocumentColumn repaired = documents("renamed", new Recorder());
    assertThat(ColumnAccess.column(repaired).routines()).isTrue();
    assertThat(repaired.at(key, "list[1]").text()).contains("7");
    assertThat(repaired.at(key, "map").keys("k99", 2)).contains(List.of("k100", "k101"));
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
  }

  @Test
  void routine_grantsNoPrivilegesOnTheStore() throws SQLException {
    String reader = database.name() + "_reader";
    database.run(
        "CREATE ROLE " + reader + " LOGIN",
        "GRANT USAGE ON SCHEMA app TO " + reader,
        "GRANT SELECT ON app.item TO " + reader);
    try {
      Object key = List.of("one", "x", 1.5);
      DocumentColumn theirs =
          PgToaster.create(database.dataSource(reader))
              .documents(ColumnName.of("app", "item", "doc"));
      assertThat(theirs.at(key, "id").text()).contains("1");
      Expect.refused(AccessDeniedException.class, () -> theirs.at(key, "list[1]").text());
      database.run("GRANT pg_read_all_data TO " + reader);
      assertThat(theirs.at(key, "list[1]").text()).contains("7");
      database.run(
          "REVOKE pg_read_all_data FROM " + reader,
          "SELECT pgtoaster.mirror_privileges('app.item')");
      assertThat(theirs.at(key, "list[1]").text()).contains("7");
    } finally {
      database.run("DROP OWNED BY " + reader, "DROP ROLE " + reader);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void read_waitsForTheServerOnce(boolean prepared) throws Exception {
    Object key = List.of("one", "x", 1.5);
    try (Cuts cuts = new Cuts(database);
        Connection connection = cuts.connect(prepared)) {
      DocumentColumn own = PgToaster.on(connection).documents(ColumnName.of("app", "item", "doc"));
      for (String path : List.of("id", "nope", "list[1]", "list[-1].k7.n", "map")) {
        for (int i = 0; i < WARM; i++) {
          ask(own, key, path);
        }
        cuts.allow(4, () -> ask(own, key, path));
      }
      for (int i = 0; i < WARM; i++) {
        askForParts(own, key);
      }
      cuts.allow(2, () -> askForParts(own, key));
    }
  }

  /** Makes four calls. */
  private static void ask(DocumentColumn documents, Object key, String path) {
    boolean there = !path.equals("nope");
    assertThat(documents.at(key, path).text().isPresent()).isEqualTo(there);
    assertThat(documents.at(key, path).exists()).isEqualTo(there);
    assertThat(documents.at(key, path).size().isPresent()).isEqualTo(path.equals("map"));
    assertThat(documents.textAll(List.of(key), path)).hasSize(there ? 1 : 0);
  }

  /** Makes two calls. */
  private static void askForParts(DocumentColumn documents, Object key) {
    assertThat(documents.at(key, "map").keys("k99", 2)).contains(List.of("k100", "k101"));
    assertThat(documents.at(key, "list").slice(1, 2).map(List::toString)).contains("[7]");
  }

  @Test
  void routine_isDroppedWithTheStore() {
    database.run("SELECT pgtoaster.detach('app.item', 'doc')");
    assertThat(database.number("SELECT count(*) FROM pg_proc WHERE proname ~ '^store_[0-9]'"))
        .isZero();
  }
}
