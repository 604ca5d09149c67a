package io.pgtoaster.spring.boot;

import java.sql.Connection;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connection of the transaction that Spring runs in the calling thread: that of JDBC, or that
 * of JPA, which exposes its own for the same data source.
 */
record SpringTransactions(DataSource dataSource) implements Supplier<@Nullable Connection> {
  @Override
  public @Nullable Connection get() {
    for (@Nullable DataSource at = dataSource; at != null; at = DataSources.behind(at)) {
      if (TransactionSynchronizationManager.getResource(at) instanceof ConnectionHolder) {
        return connection(at);
      }
    }
    return null;
  }

  /**
   * Takes the connection as JdbcTemplate does: a holder that gave its own back meanwhile gets
   * another.
   */
  private static Connection connection(DataSource source) {
    Connection connection = DataSourceUtils.getConnection(source);
    DataSourceUtils.releaseConnection(connection, source);
    return connection;
  }
}
