package io.pgtoaster.spi;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Work on a connection. */
@FunctionalInterface
public interface SqlFunction<T extends @Nullable Object> {
  /** Does the work. */
  T apply(Connection connection) throws SQLException;
}
