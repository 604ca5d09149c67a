package io.pgtoaster.it.hibernate.kit;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Recorder.Statement;
import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;

/**
 * A database with the tables of entities, and a session factory over it. Every statement is noted,
 * Hibernate's and the library's.
 */
public final class Orm implements AutoCloseable {
  private final Database database;
  private final HikariDataSource pool;
  private final Recorder recorder;
  private final SessionFactory factory;

  Orm(Database database, HikariDataSource pool, Recorder recorder, SessionFactory factory) {
    this.database = database;
    this.pool = pool;
    this.recorder = recorder;
    this.factory = factory;
  }

  /** Something done in a session. */
  @FunctionalInterface
  public interface Work<S> {
    void in(S session) throws Exception;
  }

  /** Something found out in a session. */
  @FunctionalInterface
  public interface Query<S, T> {
    T in(S session) throws Exception;
  }

  /** On a new database with the catalog installed, and the extension where the setting says so. */
  public static OrmBuilder on(Setting setting) {
    return new OrmBuilder(setting.installed());
  }

  /** On a database that is there. */
  public static OrmBuilder on(Database database) {
    return new OrmBuilder(database);
  }

  public Database database() {
    return database;
  }

  public SessionFactory factory() {
    return factory;
  }

  /** Connections whose statements are noted, as the session factory's are. */
  public DataSource dataSource() {
    return recorder.record(pool);
  }

  public Recorder recorder() {
    return recorder;
  }

  /** The statements since the last call of this, or of {@code recorder().clear()}. */
  public List<Statement> statements() {
    List<Statement> since = List.copyOf(recorder.statements());
    recorder.clear();
    return since;
  }

  /** Their texts. */
  public List<String> sql() {
    return statements().stream().map(Statement::sql).toList();
  }

  /** Commits, or rolls back and throws what the work or the commit threw. */
  public void inTransaction(Work<Session> work) throws Exception {
    fromTransaction(
        session -> {
          work.in(session);
          return session;
        });
  }

  public <T> T fromTransaction(Query<Session, T> query) throws Exception {
    try (Session session = factory.openSession()) {
      return in(session.beginTransaction(), session, query);
    }
  }

  public void statelessly(Work<StatelessSession> work) throws Exception {
    fromStateless(
        session -> {
          work.in(session);
          return session;
        });
  }

  public <T> T fromStateless(Query<StatelessSession, T> query) throws Exception {
    try (StatelessSession session = factory.openStatelessSession()) {
      return in(session.beginTransaction(), session, query);
    }
  }

  private static <S, T> T in(Transaction transaction, S session, Query<S, T> query)
      throws Exception {
    try {
      T result = query.in(session);
      transaction.commit();
      return result;
    } finally {
      if (transaction.getStatus().canRollback()) {
        transaction.rollback();
      }
    }
  }

  @Override
  public void close() throws SQLException {
    factory.close();
    pool.close();
    database.close();
  }
}
