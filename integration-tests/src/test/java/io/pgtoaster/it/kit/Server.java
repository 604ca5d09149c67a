package io.pgtoaster.it.kit;

import io.pgtoaster.PgToaster;
import io.pgtoaster.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/** A running server, on which each test class makes databases of its own. */
public final class Server {
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final EmbeddedPostgres postgres;
  private final int version;
  private Database installed;

  public Server(EmbeddedPostgres postgres, int version) {
    this.postgres = postgres;
    this.version = version;
  }

  public int version() {
    return version;
  }

  public EmbeddedPostgres postgres() {
    return postgres;
  }

  /** Makes an empty database. */
  public Database database() {
    return database("template0");
  }

  /** Makes a database with the catalog installed. */
  public Database installed() {
    synchronized (this) {
      if (installed == null) {
        installed = database();
        PgToaster.create(installed.dataSource()).catalog().install();
      }
    }
    return database(installed.name());
  }

  private Database database(String template) {
    String name = "test_" + DATABASES.incrementAndGet();
    try (Connection c = connect("postgres", postgres.user())) {
      Sql.run(c, "CREATE DATABASE " + name + " TEMPLATE " + template + " ENCODING 'UTF8'");
    } catch (SQLException e) {
      throw new AssertionError("cannot make a database on PostgreSQL " + version, e);
    }
    return new Database(this, name);
  }

  /** Whether the server was built with lz4. */
  public boolean hasLz4() {
    try (Connection c = connect("postgres", postgres.user())) {
      return Sql.string(
              c, "SELECT enumvals FROM pg_settings WHERE name = 'default_toast_compression'")
          .contains("lz4");
    } catch (SQLException e) {
      throw new AssertionError("cannot ask PostgreSQL " + version + " for lz4", e);
    }
  }

  public Connection connect(String database, String user) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    return DriverManager.getConnection(postgres.jdbcUrl(database), properties);
  }

  @Override
  public String toString() {
    return "PostgreSQL " + version;
  }
}
