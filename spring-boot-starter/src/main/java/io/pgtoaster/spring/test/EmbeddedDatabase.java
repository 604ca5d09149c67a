package io.pgtoaster.spring.test;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** A database for one application context, on the server that the JVM manages. */
final class EmbeddedDatabase implements JdbcConnectionDetails, DisposableBean {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String name;

  private EmbeddedDatabase(String name) {
    this.name = name;
  }

  /** Starts the server when the first database is created. The JVM stops it. */
  private static final class Server {
    static final EmbeddedPostgres POSTGRES =
        EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory())).start();
  }

  static EmbeddedDatabase create() {
    EmbeddedDatabase database = new EmbeddedDatabase("pgtoaster_test_" + NUMBER.incrementAndGet());
    run("CREATE DATABASE " + database.name);
    return database;
  }

  private static void run(String statement) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(Server.POSTGRES.jdbcUrl("postgres"));
    source.setUser(Server.POSTGRES.user());
    source.setPassword(Server.POSTGRES.password());
    try (Connection connection = source.getConnection();
        Statement s = connection.createStatement()) {
      s.execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException("the test server rejected: " + statement, e);
    }
  }

  @Override
  public String getJdbcUrl() {
    return Server.POSTGRES.jdbcUrl(name);
  }

  @Override
  public String getUsername() {
    return Server.POSTGRES.user();
  }

  @Override
  public @Nullable String getPassword() {
    return Server.POSTGRES.password();
  }

  /** Drops the database even if the context has left connections open. */
  @Override
  public void destroy() {
    run("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
  }
}
