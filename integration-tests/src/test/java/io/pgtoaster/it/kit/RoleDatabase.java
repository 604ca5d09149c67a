package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A database with a catalog that belongs to the role {@link #owner}, which is not a superuser, and
 * with other roles. The owner creates the table {@code item} with the columns {@code content} and
 * {@code doc}.
 */
public final class RoleDatabase implements AutoCloseable {
  private final Setting setting;
  private final Database database;
  private final List<String> roles = new ArrayList<>();
  private final Map<String, HikariDataSource> pools = new HashMap<>();

  public RoleDatabase(Setting setting) {
    this.setting = setting;
    // Installing the catalog takes three times as long as copying the database.
    this.database = PostgresServers.shared(setting.version()).installedByRole();
    String owner = role("owner");
    database.run(
        "REASSIGN OWNED BY " + Server.INSTALLER + " TO " + owner,
        "DROP OWNED BY " + Server.INSTALLER,
        "GRANT CREATE ON DATABASE " + database.name() + " TO " + owner,
        "GRANT CREATE ON SCHEMA public TO " + owner);
    setting.prepare(database);
  }

  public Database database() {
    return database;
  }

  /** The role that owns the catalog and the tables. */
  public String owner() {
    return roles.get(0);
  }

  /** Creates another role and returns its name. */
  public String role(String suffix) {
    String role = database.name() + "_" + suffix;
    database.run("CREATE ROLE " + role + " LOGIN");
    roles.add(role);
    return role;
  }

  public void as(String role, String... statements) throws SQLException {
    try (Connection c = database.connect(role)) {
      Sql.run(c, statements);
    }
  }

  /** Returns the first column of the rows that a role sees. */
  public List<String> rows(String role, String sql) throws SQLException {
    try (Connection c = database.connect(role)) {
      return Sql.strings(c, sql);
    }
  }

  public PgToaster pgToaster(String role) {
    PgToaster pgToaster = PgToaster.create(pools.computeIfAbsent(role, r -> database.pool(r, 4)));
    return setting.extension() ? pgToaster : pgToaster.withoutExtension();
  }

  public BlobColumn blobs(String role) {
    return pgToaster(role).blobs("item", "content");
  }

  public DocumentColumn documents(String role) {
    return pgToaster(role).documents("item", "doc");
  }

  /** Asserts that the server rejects a role's statements with this SQLState. */
  public void assertRefused(String state, String role, String... statements) {
    assertThatThrownBy(() -> as(role, statements))
        .as(String.join("; ", statements))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @Override
  public void close() throws SQLException {
    pools.values().forEach(HikariDataSource::close);
    for (String role : roles) {
      database.run("DROP OWNED BY " + role + " CASCADE", "DROP ROLE " + role);
    }
    database.close();
  }
}
