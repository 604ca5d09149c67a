package io.pgtoaster.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends several statements to the server in one round trip, within a transaction. Not thread-safe.
 */
public final class Script {
  private final List<String> statements = new ArrayList<>();
  private final List<@Nullable Object> parameters = new ArrayList<>();

  /** Creates an empty script. */
  public Script() {}

  /** Reads the results. */
  @FunctionalInterface
  public interface Results<T> {
    /** Reads the results of the statements. */
    T read(PreparedStatement statement) throws SQLException;
  }

  /** Adds a statement. */
  public void add(String sql, @Nullable Object... values) {
    statements.add(sql);
    parameters.addAll(Arrays.asList(values));
  }

  /** Sends the statements. */
  public <T> T run(Connection connection, Results<T> results) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(String.join(";\n", statements))) {
      int unused = Query.bind(s, 1, parameters.toArray());
      s.execute();
      return results.read(s);
    }
  }

  /**
   * Sends the statements together with the transaction's COMMIT, which saves a round trip.
   *
   * @throws io.pgtoaster.error.OutcomeUnknownException if the connection broke meanwhile
   */
  public void commit(Connection connection) throws SQLException {
    if (statements.isEmpty()) {
      return;
    }
    add("COMMIT");
    try {
      run(connection);
    } catch (SQLException e) {
      if (SqlErrors.mayBeCommitted(e)) {
        throw SqlErrors.translateAtCommit(e);
      }
      throw e;
    }
  }

  /** Sends the statements and empties the script. */
  public void run(Connection connection) throws SQLException {
    if (!statements.isEmpty()) {
      boolean unused = run(connection, s -> true);
      statements.clear();
      parameters.clear();
    }
  }
}
