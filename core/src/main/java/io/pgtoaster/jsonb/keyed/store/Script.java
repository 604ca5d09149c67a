package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.internal.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements that go to the server in one round trip, within a transaction. Not thread-safe. */
public final class Script {
  private final List<String> statements = new ArrayList<>();
  private final List<Binder> binders = new ArrayList<>();

  /** Binds the parameters of a statement. */
  @FunctionalInterface
  public interface Binder {
    /** Binds from a number on; returns the number of the next parameter. */
    int bind(PreparedStatement s, int first) throws SQLException;
  }

  public void add(String sql, Binder binder) {
    statements.add(sql);
    binders.add(binder);
  }

  /** Adds a statement with the number of a document as its only parameter. */
  public void add(String sql, long document) {
    add(
        sql,
        (s, first) -> {
          s.setLong(first, document);
          return first + 1;
        });
  }

  /** What is done with the results. */
  @FunctionalInterface
  interface Results<T> {
    T read(PreparedStatement s) throws SQLException;
  }

  /** Sends the statements; the statement's present result is that of the first. */
  public <T> T run(Connection connection, Results<T> results) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(String.join(";\n", statements))) {
      int next = 1;
      for (Binder binder : binders) {
        next = binder.bind(s, next);
      }
      s.execute();
      return results.read(s);
    }
  }

  /**
   * Sends what there is and the transaction's COMMIT, which takes no round trip of its own.
   *
   * @throws io.pgtoaster.error.OutcomeUnknownException if the connection broke meanwhile
   */
  public void commit(Connection connection) throws SQLException {
    if (statements.isEmpty()) {
      return;
    }
    add("COMMIT", (s, first) -> first);
    try {
      run(connection);
    } catch (SQLException e) {
      if (SqlErrors.isConnectionLost(e)) {
        throw SqlErrors.translateAtCommit(e);
      }
      throw e;
    }
  }

  /** Sends what there is, and is empty again. */
  public void run(Connection connection) throws SQLException {
    if (!statements.isEmpty()) {
      boolean unused = run(connection, s -> true);
      statements.clear();
      binders.clear();
    }
  }
}
