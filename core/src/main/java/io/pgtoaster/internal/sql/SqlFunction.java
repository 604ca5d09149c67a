package io.pgtoaster.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Uses a connection. */
@FunctionalInterface
public interface SqlFunction<T extends @Nullable Object> {
  /** Runs the work. */
  T apply(Connection connection) throws SQLException;
}
