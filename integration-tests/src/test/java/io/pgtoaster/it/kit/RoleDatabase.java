package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A database with a catalog that belongs to the role {@link #owner}, which is not a superuser, and
 * with other roles. The owner creates the table {@code item} with the columns {@code content} and
 * {@code doc}.
 */
public final class RoleDatabase implements AutoCloseable {
  /** What every test of a class needs. */
  public interface Content {
    void create(RoleDatabase db) throws SQLException;
  }

  private record Key(Setting setting, Class<?> test) {}

  private static final Map<Key, RoleDatabase> TEMPLATES = new HashMap<>();

  private final Setting setting;
  private final Database database;

  /** Roles of a template or of all databases, by suffix. */
  private final Map<String, String> shared;

  /** Roles of this database, by suffix. */
  private final Map<String, String> roles = new LinkedHashMap<>();

  private final Map<String, HikariDataSource> pools = new ConcurrentHashMap<>();

  public RoleDatabase(Setting setting) {
    // Installing the catalog takes three times as long as copying the database.
    this(
        setting,
        PostgresServers.shared(setting.version()).installedByRole(),
        Map.of("owner", Server.OWNER));
    setting.prepare(database);
  }

  private RoleDatabase(Setting setting, Database database, Map<String, String> shared) {
    this.setting = setting;
    this.database = database;
    this.shared = shared;
  }

  /**
   * Copies a database that is created once for a setting and a test class, because attaching
   * columns takes much longer than copying. The copies share the roles; {@link #close} resets them.
   */
  public static RoleDatabase copy(Setting setting, Class<?> test, Content content)
      throws SQLException {
    Key key = new Key(setting, test);
    RoleDatabase template = TEMPLATES.get(key);
    if (template == null) {
      template = new RoleDatabase(setting);
      content.create(template);
      template.endSessions();
      template.database.server().keep(template.database);
      TEMPLATES.put(key, template);
    }
    Map<String, String> shared = new HashMap<>(template.shared);
    shared.putAll(template.roles);
    Database copy = template.database.server().copy(template.database);
    setting.configure(copy);
    return new RoleDatabase(setting, copy, shared);
  }

  public Database database() {
    return database;
  }

  /** The role that owns the catalog and the tables. */
  public String owner() {
    return role("owner");
  }

  /** Returns the name of a role with this suffix, and creates it unless it exists. */
  public String role(String suffix) {
    String existing = shared.getOrDefault(suffix, roles.get(suffix));
    if (existing != null) {
      return existing;
    }
    String role = database.name() + "_" + suffix;
    database.run("CREATE ROLE " + role + " LOGIN");
    roles.put(suffix, role);
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
    endSessions();
    database.server().drop(database, roles.values(), shared.values());
  }

  private void endSessions() throws SQLException {
    pools.values().forEach(HikariDataSource::close);
    pools.clear();
    database.close();
  }
}
