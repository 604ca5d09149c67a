package io.pgtoaster.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.server.ServerCpu;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server, a pool, and tables to work on, all in the schema {@code bench}. */
final class Workbench implements AutoCloseable {
  /** Settings of a server started here that are not PostgreSQL's defaults. */
  static final String SERVER_SETTINGS = "shared_buffers = 256MB, max_wal_size = 4GB";

  private final @Nullable EmbeddedPostgres server;
  private final HikariDataSource pool;
  private final Connection connection;
  private final Connection observer;
  private final Map<String, Connection> connections = new HashMap<>();

  private Workbench(@Nullable EmbeddedPostgres server, HikariDataSource pool) throws SQLException {
    this.server = server;
    this.pool = pool;
    this.connection = connect();
    this.observer = connect();
    execute("CREATE SCHEMA IF NOT EXISTS bench");
    PgToaster.on(connection).catalog().install();
  }

  /** Joins the server of {@code --url}, or starts one. */
  static Workbench open(Settings settings) throws SQLException {
    return open(settings, Map.of());
  }

  /** The same with more settings for a server that is started. */
  static Workbench open(Settings settings, Map<String, String> more) throws SQLException {
    String url = settings.text("url");
    EmbeddedPostgres server = url == null ? start(settings.text("home"), more) : null;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server == null ? url : server.jdbcUrl("postgres"));
    if (server != null) {
      config.setUsername(server.user());
      config.setPassword(server.password());
    }
    config.setMaximumPoolSize(4);
    config.setConnectionInitSql("SET search_path = bench, public");
    try {
      return new Workbench(server, new HikariDataSource(config));
    } catch (SQLException | RuntimeException e) {
      if (server != null) {
        server.close();
      }
      throw e;
    }
  }

  private static EmbeddedPostgres start(@Nullable String home, Map<String, String> more) {
    PostgresBinaries binaries =
        home == null
            ? PostgresBinaries.fromClasspath(Home.cacheDirectory())
            : PostgresBinaries.fromDirectory(Path.of(home));
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder(binaries)
            .setting("shared_buffers", "256MB")
            .setting("max_wal_size", "4GB")
            .setting("wal_level", "replica");
    more.forEach(builder::setting);
    return builder.start();
  }

  HikariDataSource pool() {
    return pool;
  }

  /** The connection for everything that is not measured. */
  Connection connection() {
    return connection;
  }

  ServerCpu cpu() {
    return new ServerCpu(observer, server != null);
  }

  boolean own() {
    return server != null;
  }

  /**
   * The connection of one contender alone: what its session has done before, such as freeing big
   * blocks of memory, changes the speed of what comes after.
   */
  Connection connectionOf(String contender) throws SQLException {
    Connection known = connections.get(contender);
    if (known == null) {
      known = connect();
      connections.put(contender, known);
    }
    return known;
  }

  private Connection connect() throws SQLException {
    Connection made =
        DriverManager.getConnection(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
    try (Statement s = made.createStatement()) {
      s.execute("SET search_path = bench, public");
    }
    return made;
  }

  void execute(String sql) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.execute(sql);
    }
  }

  String value(String sql) throws SQLException {
    try (Statement s = connection.createStatement();
        ResultSet r = s.executeQuery(sql)) {
      r.next();
      return r.getString(1);
    }
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(value(sql));
  }

  /** Position of the write-ahead log, in bytes. */
  long walPosition() throws SQLException {
    return number("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
  }

  void checkpoint() throws SQLException {
    execute("CHECKPOINT");
  }

  /** Keeps autovacuum, whose writing is not that of what is measured, out of the way. */
  void withoutAutovacuum() throws SQLException, InterruptedException {
    if (own()) {
      execute("ALTER SYSTEM SET autovacuum = off");
      execute("SELECT pg_reload_conf()");
      while (number(
              "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'")
          > 0) {
        Thread.sleep(100);
      }
    }
  }

  /** A table of that name with an attached column and the row 1, new. */
  BlobTable blobTable(String name, BlobOptions options) throws SQLException {
    drop(name);
    execute("CREATE TABLE bench." + name + " (id bigint PRIMARY KEY, data bigint)");
    int store =
        PgToaster.on(connection).catalog().attach("bench", name, "data", "appendable", options);
    execute("INSERT INTO bench." + name + " (id) VALUES (1)");
    return new BlobTable(this, name, store);
  }

  /** Drops a table and what its column {@code data} has in a store. */
  void drop(String name) throws SQLException {
    if (number(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'bench' AND tablename = '"
                + name
                + "'")
        > 0) {
      if (attached().contains(name)) {
        PgToaster.on(connection).catalog().detach("bench", name, "data", true);
      }
      execute("DROP TABLE bench." + name);
    }
  }

  /** One line about where this was measured. */
  String environment() throws SQLException {
    return value("SELECT version()").replaceFirst(",.*", "")
        + ", fsync = "
        + value("SHOW fsync")
        + ", synchronous_commit = "
        + value("SHOW synchronous_commit")
        + ", wal_level = "
        + value("SHOW wal_level")
        + (own() ? ", " + SERVER_SETTINGS : "")
        + "; pgjdbc "
        + connection.getMetaData().getDriverVersion()
        + ", Java "
        + Runtime.version()
        + ", "
        + Runtime.getRuntime().availableProcessors()
        + " cores, client on the same machine: "
        + (own() ? "yes" : "not known");
  }

  @Override
  public void close() throws SQLException {
    try {
      if (!own()) {
        for (String table : attached()) {
          drop(table);
        }
        execute("DROP SCHEMA bench CASCADE");
      }
      for (Connection one : connections.values()) {
        one.close();
      }
      observer.close();
      connection.close();
    } finally {
      pool.close();
      if (server != null) {
        server.close();
      }
    }
  }

  private List<String> attached() throws SQLException {
    List<String> names = new ArrayList<>();
    PgToaster.on(connection).catalog().status().stream()
        .filter(s -> "bench".equals(s.schema()) && s.table() != null)
        .forEach(s -> names.add(String.valueOf(s.table())));
    return names;
  }
}
