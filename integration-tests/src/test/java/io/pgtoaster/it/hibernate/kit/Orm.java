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
 * A database with the tables of entities, and a session factory for it. Records every statement of
 * Hibernate and of the library.
 */
public record Orm(
    Database database, HikariDataSource pool, Recorder recorder, SessionFactory factory)
    implements AutoCloseable {
  /** Work in a session. */
  @FunctionalInterface
  public interface Work<S> {
    void in(S session) throws Exception;
  }

  /** Work in a session that returns a result. */
  @FunctionalInterface
  public interface Query<S, T> {
    T in(S session) throws Exception;
  }

  /** Uses a new database with the catalog, and with the extension if the setting has it. */
  public static OrmBuilder on(Setting setting) {
    return new OrmBuilder(setting.installed());
  }

  /** Uses an existing database. */
  public static OrmBuilder on(Database database) {
    return new OrmBuilder(database);
  }

  /** Connections whose statements are recorded, like those of the session factory. */
  public DataSource dataSource() {
    return recorder.record(pool);
  }

  /** Returns the statements since the last call of this method or of {@code recorder().clear()}. */
  public List<Statement> statements() {
    List<Statement> since = List.copyOf(recorder.statements());
    recorder.clear();
    return since;
  }

  /** Returns the texts of these statements. */
  public List<String> sql() {
    return statements().stream().map(Statement::sql).toList();
  }

  /** Commits, or rolls back and rethrows the exception of the work or the commit. */
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
