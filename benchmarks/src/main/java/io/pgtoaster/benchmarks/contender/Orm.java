package io.pgtoaster.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.postgresql.jdbc.PgConnection;

/** Hibernate with one entity and one connection, in its own database. */
public final class Orm implements AutoCloseable {
  /** A strong reference: otherwise the logger and its level could be garbage-collected. */
  private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

  static {
    HIBERNATE.setLevel(Level.SEVERE);
  }

  private final Database database;
  private final HikariDataSource pool = new HikariDataSource();
  private final SessionFactory factory;

  public Orm(Class<?> entity, Kind kind) throws SQLException {
    this.database = Database.create(kind);
    pool.setDataSource(database.dataSource());
    pool.setMaximumPoolSize(1);
    pool.setConnectionInitSql("SET search_path = bench, public");
    this.factory =
        new MetadataSources(
                new StandardServiceRegistryBuilder()
                    .applySettings(
                        Map.of(
                            "hibernate.connection.datasource",
                            pool,
                            "hibernate.hbm2ddl.auto",
                            "create",
                            "hibernate.cache.use_second_level_cache",
                            false))
                    .build())
            .addAnnotatedClass(entity)
            .buildMetadata()
            .buildSessionFactory();
  }

  public Database database() {
    return database;
  }

  /** Returns the statistics of the connection. */
  public Backend backend() throws SQLException {
    try (Connection only = pool.getConnection()) {
      return database.backend(only.unwrap(PgConnection.class));
    }
  }

  public void inTransaction(Consumer<Session> work) {
    factory.inTransaction(work);
  }

  /** Returns the result of work in a transaction. */
  public <T> T fromTransaction(Function<Session, T> work) {
    return factory.fromTransaction(work);
  }

  @Override
  public void close() throws SQLException {
    try (database) {
      factory.close();
      pool.close();
    }
  }
}
