package io.pgtoaster.internal;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Work on a connection.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface SqlFunction<T extends @Nullable Object> {
  /**
   * Does the work.
   *
   * @param connection an open connection
   * @return the result
   * @throws SQLException as the driver throws it; translated by the caller
   */
  T apply(Connection connection) throws SQLException;
}
