package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The grants on the owner's table determine who may use split documents. No role here is a
 * superuser.
 */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#edges")
class KeyedPrivilegesIT {
  private static final String READ = "SELECT pgtoaster.get(doc, '{cc}') FROM item WHERE id = 1";

  @Parameter int version;

  private Database database;
  private Nodes nodes;
  private String owner;
  private String other;

  @BeforeEach
  void roles() throws SQLException {
    database = PostgresServers.shared(version).database();
    owner = database.name() + "_owner";
    other = database.name() + "_other";
    database.run(
        "CREATE ROLE " + owner + " LOGIN",
        "CREATE ROLE " + other + " LOGIN",
        "GRANT CREATE ON DATABASE " + database.name() + " TO " + owner,
        "GRANT CREATE ON SCHEMA public TO " + owner);
    PgToaster.create(database.dataSource(owner)).catalog().install();
    as(
        owner,
        "CREATE TABLE item (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO item VALUES (1), (2)",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    nodes = new Nodes(database, 1);
    nodes.sample("item", "doc", "id = 1", 1);
  }

  @AfterEach
  void drop() {
    database.run(
        "DROP OWNED BY " + owner + " CASCADE",
        "DROP OWNED BY " + other + " CASCADE",
        "DROP ROLE " + owner,
        "DROP ROLE " + other);
  }

  private void as(String role, String... statements) throws SQLException {
    try (Connection c = database.connect(role)) {
      Sql.run(c, statements);
    }
  }

  private String read(String role) throws SQLException {
    try (Connection c = database.connect(role)) {
      return Sql.string(c, READ);
    }
  }

  private void assertDenied(String... statements) {
    assertThatThrownBy(() -> as(other, statements))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
  }

  @Test
  void reader_canReadButChangesNothing() throws SQLException {
    assertDenied(READ);
    as(owner, "GRANT SELECT ON item TO " + other);
    assertDenied(READ);
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()"))
        .contains("mirror_privileges");
    as(owner, "SELECT pgtoaster.mirror_privileges(1)");
    assertThat(read(other)).isEqualTo("2");
    assertDenied("DELETE FROM pgtoaster.store_1_node");
    assertDenied("UPDATE pgtoaster.store_1_head SET owner_1 = 2");
    assertDenied("SELECT pgtoaster.release(1, (SELECT id FROM pgtoaster.store_1_head))");
    assertDenied("SELECT pgtoaster.detach('item', 'doc')");
    assertThat(read(owner)).isEqualTo("2");
  }

  @Test
  void writer_writesNodes() throws SQLException {
    as(owner, "GRANT SELECT, UPDATE ON item TO " + other, "SELECT pgtoaster.mirror_privileges(1)");
    as(
        other,
        "BEGIN",
        "UPDATE pgtoaster.store_1_head SET generation = generation + 1",
        "INSERT INTO pgtoaster.store_1_node (doc, id, kind, bytes, value) SELECT id, 99, 'a', 9, '[]'"
            + " FROM pgtoaster.store_1_head",
        "DELETE FROM pgtoaster.store_1_node WHERE id = 99",
        "UPDATE item SET id = 5 WHERE id = 1",
        "COMMIT");
    assertThat(database.number("SELECT owner_1 FROM pgtoaster.store_1_head")).isEqualTo(5);
  }

  @Test
  void writer_updatesRows_thoughNewFunctionsAreNotPublic() throws SQLException {
    as(
        owner,
        "ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC",
        "CREATE TABLE note (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO note VALUES (1, '{}')",
        "SELECT pgtoaster.attach('note', 'doc', 'keyed')",
        "GRANT SELECT, UPDATE ON note TO " + other,
        "SELECT pgtoaster.mirror_privileges('note')");
    as(other, "UPDATE note SET doc = '{\"a\": 1}' WHERE id = 1");
    assertThat(database.string("SELECT doc FROM note")).isEqualTo("{\"a\": 1}");
  }

  @Test
  void roleThatMayOnlyDeleteRows_leavesNothing() throws SQLException {
    as(owner, "GRANT SELECT (id), DELETE ON item TO " + other);
    as(other, "DELETE FROM item WHERE id = 1");
    assertThat(nodes.heads()).isZero();
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_node")).isZero();
  }

  @Test
  void rowSecurity_hidesDocuments_andLosesNone() throws SQLException {
    as(
        owner,
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY second ON item TO " + other + " USING (id = 2)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + other,
        "SELECT pgtoaster.mirror_privileges(1)");
    String stub = database.string("SELECT doc FROM item WHERE id = 1");
    String copy = "UPDATE item SET doc = " + Sql.literal(stub) + " WHERE id = 2";
    assertThatThrownBy(() -> as(other, copy))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
    database.runWithoutTriggers(copy);
    assertThatThrownBy(() -> as(other, "SELECT pgtoaster.expand(doc) FROM item"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("XX001"));
    as(other, "UPDATE item SET doc = NULL", "DELETE FROM item");
    assertThat(read(owner)).isEqualTo("2");
  }

  @Test
  void ownerWithoutSuperuser_canCleanUpAndDetach() throws SQLException {
    as(owner, "UPDATE item SET id = 7 WHERE id = 1");
    PgToaster.create(database.dataSource(owner))
        .catalog()
        .gc(GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO));
    as(owner, "SELECT pgtoaster.detach('item', 'doc')");
    assertThat(database.string("SELECT doc->>'cc' FROM item WHERE id = 7")).isEqualTo("2");
  }
}
