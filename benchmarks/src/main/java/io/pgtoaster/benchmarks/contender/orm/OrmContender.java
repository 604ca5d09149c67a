package io.pgtoaster.benchmarks.contender.orm;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.contender.document.DocumentContender;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.postgresql.jdbc.PgConnection;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A way to map a document to an attribute of an entity, in its own database. */
public final class OrmContender implements AutoCloseable {
  /** A strong reference: otherwise the logger and its level could be garbage-collected. */
  private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

  static {
    HIBERNATE.setLevel(Level.SEVERE);
  }

  private final Class<? extends Actor> entity;
  private final Database database;
  private final HikariDataSource pool;
  private final StatementCounter counter = new StatementCounter();
  private final SessionFactory factory;

  private OrmContender(Class<? extends Actor> entity, Kind kind) throws SQLException {
    this.entity = entity;
    this.database = Database.create(kind);
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(1);
    config.setConnectionInitSql("SET search_path = bench, public");
    this.pool = new HikariDataSource(config);
    try (Connection only = pool.getConnection()) {
      database.track(only.unwrap(PgConnection.class));
    }
    this.factory =
        new MetadataSources(
                new StandardServiceRegistryBuilder()
                    .applySettings(
                        Map.of(
                            "hibernate.connection.datasource",
                            counter.count(pool),
                            "hibernate.hbm2ddl.auto",
                            "create",
                            "hibernate.cache.use_second_level_cache",
                            false))
                    .build())
            .addAnnotatedClass(entity)
            .buildMetadata()
            .buildSessionFactory();
  }

  /**
   * Opens the contender with this name and stores one entity.
   *
   * @param name name of the contender
   * @param document document of the entity
   */
  public static OrmContender open(String name, String document) throws SQLException {
    Kind kind = name.equals(Names.EXTENSION) ? Kind.EXTENSION : Kind.PLAIN;
    Map<String, Object> map =
        JsonMapper.shared().readValue(document, new TypeReference<Map<String, Object>>() {});
    Actor actor =
        switch (Names.who(name)) {
          case Names.CHUNK_TABLES, Names.EXTENSION -> new KeyedActor(map);
          case Names.HIBERNATE -> new HibernateActor(map);
          case Names.HYPERSISTENCE -> new HypersistenceActor(map);
          default -> throw new IllegalArgumentException("no contender for entities: " + name);
        };
    OrmContender made = new OrmContender(actor.getClass(), kind);
    Storage.defaults()
        .of(name)
        .set(made.database, "bench." + actor.getClass().getSimpleName(), "doc");
    try (Session session = made.factory.openSession()) {
      Transaction transaction = session.beginTransaction();
      session.persist(actor);
      transaction.commit();
    }
    // For the same reason as DocumentContender.addOthers.
    made.database.run(
        "INSERT INTO bench."
            + actor.getClass().getSimpleName()
            + " (id) SELECT -i FROM generate_series(1, "
            + DocumentContender.OTHERS
            + ") i");
    return made;
  }

  public Database database() {
    return database;
  }

  /** Returns the number of statements since the last call. */
  public long takeStatements() {
    return counter.take();
  }

  /** Loads the entity, reads from it, changes it and commits. Returns what it read. */
  public String inTransaction(Consumer<Actor> work) {
    try (Session session = factory.openSession()) {
      Transaction transaction = session.beginTransaction();
      Actor actor = session.find(entity, 1L);
      String read = actor.read();
      work.accept(actor);
      transaction.commit();
      return read;
    }
  }

  /** Returns the height in the database. */
  public String height() {
    try (Session session = factory.openSession()) {
      return session.find(entity, 1L).height();
    }
  }

  /** Returns the number of roles in the database. */
  public int roles() {
    try (Session session = factory.openSession()) {
      Transaction transaction = session.beginTransaction();
      int roles = session.find(entity, 1L).roles();
      transaction.commit();
      return roles;
    }
  }

  @Override
  public void close() throws SQLException {
    try (database) {
      factory.close();
      pool.close();
    }
  }
}
