package io.pgtoaster.spring.kit;

import io.pgtoaster.PgToaster;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A database for one test, on one server per JVM. */
public record TestDatabase(String url, String user, String password) {
  /**
   * The template with the catalog. Installing the catalog takes three times as long as copying the
   * template.
   */
  private static final String INSTALLED = "installed";

  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Path MEMORY = Path.of("/dev/shm");

  /** In bytes: enough for a hundred databases and their WAL. */
  private static final long MIN_FREE_BYTES = 4L << 30;

  private static final class Server {
    static final EmbeddedPostgres POSTGRES = start();

    static {
      make(POSTGRES, INSTALLED, "template0").toaster().catalog().install();
    }

    private static EmbeddedPostgres start() {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()));
      // In memory, creating a database takes a sixth of the processor time.
      if (Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() > MIN_FREE_BYTES) {
        builder.temporary(MEMORY);
      }
      return builder.setting("fsync", "off").setting("full_page_writes", "off").start();
    }
  }

  /** Returns a database with the catalog. */
  public static TestDatabase create() {
    return next(INSTALLED);
  }

  /** Returns a database without the catalog. */
  public static TestDatabase empty() {
    return next("template0");
  }

  private static TestDatabase next(String template) {
    return make(Server.POSTGRES, "test_" + NUMBER.incrementAndGet(), template);
  }

  private static TestDatabase make(EmbeddedPostgres server, String name, String template) {
    of(server, "postgres")
        .run("CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY file_copy");
    return of(server, name);
  }

  private static TestDatabase of(EmbeddedPostgres server, String name) {
    return new TestDatabase(server.jdbcUrl(name), server.user(), server.password());
  }

  /** Returns the same database for a new role without privileges. */
  public TestDatabase asNewRole(String role) {
    run(
        "DROP ROLE IF EXISTS " + role,
        "CREATE ROLE " + role + " LOGIN PASSWORD '" + password + "'");
    return new TestDatabase(url, role, password);
  }

  public PGSimpleDataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser(user);
    source.setPassword(password);
    return source;
  }

  public PgToaster toaster() {
    return PgToaster.create(dataSource());
  }

  public void execute(String sql) throws SQLException {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  public void run(String... statements) {
    try {
      for (String statement : statements) {
        execute(statement);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the first column of the first row. */
  public String value(String query) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getString(1) : null;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the properties of an application on this database, on a free port. */
  public String[] properties(String... more) {
    return Stream.concat(
            Stream.of(
                "spring.datasource.url=" + url,
                "spring.datasource.username=" + user,
                "spring.datasource.password=" + password,
                "server.port=0",
                "spring.main.banner-mode=off"),
            Stream.of(more))
        .toArray(String[]::new);
  }
}
