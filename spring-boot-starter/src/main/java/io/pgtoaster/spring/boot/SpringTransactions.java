package io.pgtoaster.spring.boot;

import java.sql.Connection;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Returns the connection of the Spring transaction in the calling thread. This is the connection of
 * JDBC, or of JPA, which exposes its connection for the same data source. Without a transaction,
 * the thread's open session first releases its connection, because a thread that holds one
 * connection and waits for another can deadlock a pool.
 */
record SpringTransactions(DataSource dataSource) implements Supplier<@Nullable Connection> {
  private static final boolean HIBERNATE =
      isPresent("org.springframework.orm.jpa.EntityManagerHolder")
          && isPresent("org.hibernate.engine.spi.SessionImplementor");

  @Override
  public @Nullable Connection get() {
    for (@Nullable DataSource at = dataSource; at != null; at = DataSources.target(at)) {
      if (TransactionSynchronizationManager.getResource(at) instanceof ConnectionHolder) {
        return connection(at);
      }
    }
    for (Map.Entry<Object, Object> bound :
        TransactionSynchronizationManager.getResourceMap().entrySet()) {
      // The transaction manager may use a proxy that the library does not know.
      if (bound.getValue() instanceof ConnectionHolder
          && bound.getKey() instanceof DataSource proxy
          && DataSources.isSame(proxy, dataSource)) {
        return connection(proxy);
      }
    }
    return HIBERNATE ? OpenSession.connection(dataSource) : null;
  }

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, SpringTransactions.class.getClassLoader());
  }

  /**
   * Gets the connection as JdbcTemplate does, so a holder that has released its connection gets a
   * new one.
   */
  private static Connection connection(DataSource source) {
    Connection connection = DataSourceUtils.getConnection(source);
    DataSourceUtils.releaseConnection(connection, source);
    return connection;
  }
}
