package io.pgtoaster.it.jsonb.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** A database in which a test creates a table and attaches its column {@code doc}. */
abstract class KeyedTable {
  @Parameter int version;

  Database database;

  static Stream<Integer> versions() {
    return PostgresServers.sampled().stream();
  }

  @BeforeEach
  void open() {
    database = PostgresServers.shared(version).installed();
  }

  int attach(String options) {
    return (int)
        database.number(
            "SELECT pgtoaster.attach('item', 'doc', 'keyed', %s)".formatted(Sql.literal(options)));
  }

  void item(String... more) {
    database.run("CREATE TABLE item (id int PRIMARY KEY, doc jsonb)");
    database.run(more);
  }

  void assertRefused(String state, String sql) {
    try (Connection c = database.connect()) {
      assertThatThrownBy(() -> Sql.run(c, sql))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).as("%s", e).isEqualTo(state));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  List<String> notices(String sql) throws SQLException {
    List<String> notices = new ArrayList<>();
    try (Connection c = database.connect();
        Statement s = c.createStatement()) {
      s.execute(sql);
      for (SQLWarning w = s.getWarnings(); w != null; w = w.getNextWarning()) {
        notices.add(w.getMessage());
      }
    }
    return notices;
  }
}
