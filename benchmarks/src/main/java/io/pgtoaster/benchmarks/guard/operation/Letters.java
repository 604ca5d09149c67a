package io.pgtoaster.benchmarks.guard.operation;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.postgresql.jdbc.PgConnection;

/** Entities with blobs of 100 KB, in their own database. Each call is a transaction. */
final class Letters implements Subject {
  static final Payload PAYLOAD = Payload.logLines();
  private static final int SIZE = 100_000;

  private final Database database;
  private final HikariDataSource pool = new HikariDataSource();
  private final SessionFactory factory;
  private final Backend backend;
  private final Work work;

  /** The work in one transaction. */
  @FunctionalInterface
  interface Work {
    /**
     * Does the work.
     *
     * @param id key of a letter
     * @param i number of the call in its round
     */
    void run(Session session, long id, int i) throws Exception;
  }

  Letters(Kind kind, int rounds, Work work) throws SQLException {
    this.work = work;
    this.database = Database.create(kind);
    Workplace.settle(database);
    pool.setDataSource(database.dataSource());
    pool.setMaximumPoolSize(1);
    pool.setConnectionInitSql("SET search_path = bench, public");
    try (Connection only = pool.getConnection()) {
      this.backend = database.backend(only.unwrap(PgConnection.class));
    }
    this.factory =
        new MetadataSources(
                new StandardServiceRegistryBuilder()
                    .applySettings(
                        Map.of(
                            "hibernate.connection.datasource",
                            pool,
                            "hibernate.hbm2ddl.auto",
                            "create"))
                    .build())
            .addAnnotatedClass(Letter.class)
            .buildMetadata()
            .buildSessionFactory();
    for (long id = 1; id <= rounds; id++) {
      Letter letter = new Letter(id, AppendableBlob.of(PAYLOAD.bytes(id, SIZE)));
      factory.inTransaction(session -> session.persist(letter));
    }
    database.vacuum();
  }

  @Override
  public Backend backend() {
    return backend;
  }

  @Override
  public void call(int round, int i) throws Exception {
    try (Session session = factory.openSession()) {
      session.beginTransaction();
      work.run(session, round + 1L, i);
      session.getTransaction().commit();
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
