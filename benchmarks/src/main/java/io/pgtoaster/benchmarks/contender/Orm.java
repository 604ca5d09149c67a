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
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Hibernate with one entity and one connection, in its own database. */
public final class Orm implements AutoCloseable {
  /** A strong reference: otherwise the logger and its level could be garbage-collected. */
  private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

  static {
    HIBERNATE.setLevel(Level.SEVERE);
  }

  private final Class<?> entity;
  private final Database database;
  private final HikariDataSource pool = new HikariDataSource();
  private final SessionFactory factory;

  public Orm(Class<?> entity, Kind kind) throws SQLException {
    this.entity = entity;
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

  /** Opens the contender with this name and stores one entity with a document. */
  public static Orm open(String name, String document) throws SQLException {
    Actor actor =
        Actor.of(
            Names.who(name),
            JsonMapper.shared().readValue(document, new TypeReference<Map<String, Object>>() {}));
    Orm orm = new Orm(actor.getClass(), Kind.of(name));
    String table = "bench." + actor.getClass().getSimpleName();
    Names.store(orm.database, table, "doc", Names.compression(name, ""));
    orm.inTransaction(session -> session.persist(actor));
    // For the same reason as DocumentStore.addOthers.
    orm.database.run(
        "INSERT INTO %s (id) SELECT -i FROM generate_series(1, %d) i"
            .formatted(table, DocumentStore.OTHERS));
    return orm;
  }

  /** Loads the entity, reads from it, changes it and commits. Returns what it read. */
  public String withActor(Consumer<Actor> work) {
    return read(
        actor -> {
          String read = actor.read();
          work.accept(actor);
          return read;
        });
  }

  /** Returns what a function reads from the stored entity. */
  public <T> T read(Function<Actor, T> work) {
    return factory.fromTransaction(s -> work.apply((Actor) s.find(entity, 1L)));
  }

  @Override
  public void close() throws SQLException {
    try (database) {
      factory.close();
      pool.close();
    }
  }
}
