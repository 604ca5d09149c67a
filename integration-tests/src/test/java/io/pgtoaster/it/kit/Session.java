package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Future;

/**
 * A connection with an open transaction. The test runs it step by step and asserts for each step
 * whether it completes or waits for a lock.
 */
public final class Session {
  private final DocumentFixture fx;
  private final Connection connection;
  private final DocumentColumn documents;
  private final long pid;
  private final String name;

  @FunctionalInterface
  public interface Work<T> {
    T in(DocumentColumn documents) throws Exception;
  }

  @FunctionalInterface
  public interface Edit {
    void in(DocumentColumn documents) throws Exception;
  }

  /** Converts an edit without a result to work that returns true. */
  public static Work<Boolean> doing(Edit edit) {
    return documents -> {
      edit.in(documents);
      return true;
    };
  }

  /** A running step. */
  public final class Step<T> {
    private final Future<T> future;

    private Step(Future<T> future) {
      this.future = future;
    }

    /** The step stops waiting and completes. */
    public T continues() throws Exception {
      return Wait.get(future);
    }

    /** The step stops waiting and fails. */
    public <E extends PgToasterException> E fails(Class<E> type) {
      return Expect.refused(type, this::continues);
    }

    public boolean isDone() {
      return future.isDone();
    }

    /** Waits until the step has ended or waits for a lock; returns true if it has ended. */
    public boolean settled() {
      return Session.this.settled(future);
    }
  }

  public Session(DocumentFixture fx, String name, int isolation, boolean bySql)
      throws SQLException {
    this.fx = fx;
    this.name = name;
    this.connection = fx.begin(isolation);
    this.documents = bySql ? fx.onBySql(connection) : fx.on(connection);
    this.pid = Sql.number(connection, "SELECT pg_backend_pid()");
    connection.commit();
  }

  private boolean blocked() {
    return fx.string("SELECT cardinality(pg_blocking_pids(%d)) > 0".formatted(pid)).equals("t");
  }

  /** Waits until the work has ended or waits for a lock; returns true if it has ended. */
  public boolean settled(Future<?> work) {
    Wait.until(name + " ends or waits", () -> work.isDone() || blocked());
    return work.isDone();
  }

  /** Runs work in the calling thread. */
  public <T> T continues(Work<T> work) throws Exception {
    return work.in(documents);
  }

  /** Takes the transaction's snapshot, if its isolation level keeps one. */
  public Session looks() throws SQLException {
    Sql.string(connection, "SELECT count(*) FROM item");
    return this;
  }

  public <T> Step<T> starts(Work<T> work) {
    return new Step<>(Wait.start(() -> work.in(documents)));
  }

  /** Runs a step that must not wait. */
  public <T> T runs(Work<T> work) throws Exception {
    Step<T> step = starts(work);
    assertThat(step.settled()).as("%s had to wait", name).isTrue();
    return step.continues();
  }

  /** Starts a step that must wait for other sessions. */
  public <T> Step<T> waits(Work<T> work, Session... others) {
    Step<T> step = starts(work);
    assertThat(step.settled()).as("%s did not wait", name).isFalse();
    for (Session other : others) {
      assertThat(fx.string("SELECT %d = ANY (pg_blocking_pids(%d))".formatted(other.pid, pid)))
          .as("%s waits for %s", name, other.name)
          .isEqualTo("t");
    }
    return step;
  }

  /** Runs plain SQL. */
  public Session sql(String... statements) throws SQLException {
    Sql.run(connection, statements);
    return this;
  }

  public Session commits() throws SQLException {
    connection.commit();
    return this;
  }

  public Session rollsBack() throws SQLException {
    connection.rollback();
    return this;
  }

  public Connection connection() {
    return connection;
  }
}
