package io.pgtoaster.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The Hibernate session that stays open in the calling thread after its transactions: {@code
 * spring.jpa.open-in-view} keeps one for a request, and applications may bind the session of a
 * plain {@code SessionFactory} to the thread. Such a session also keeps its connection. If a call
 * takes a second one, it waits for other requests that do the same.
 */
final class OpenSession {
  private OpenSession() {}

  /**
   * Returns the connection that a session is currently using. An idle session releases its
   * connection and takes one again at its next statement.
   *
   * @return null if the thread no longer holds a connection of the data source
   */
  static @Nullable Connection connection(DataSource source) {
    for (Map.Entry<Object, Object> bound :
        TransactionSynchronizationManager.getResourceMap().entrySet()) {
      @Nullable SessionImplementor session =
          isFor(bound.getKey(), source) ? session(bound.getValue()) : null;
      @Nullable Connection used = session == null ? null : connection(session);
      if (used != null) {
        return used;
      }
    }
    return null;
  }

  private static boolean isFor(Object key, DataSource source) {
    Object factory =
        key instanceof EntityManagerFactoryInfo info ? info.getNativeEntityManagerFactory() : key;
    if (!(factory instanceof SessionFactoryImplementor hibernate)) {
      return false;
    }
    @Nullable DataSource own =
        key instanceof EntityManagerFactoryInfo info ? info.getDataSource() : dataSource(hibernate);
    return own != null && DataSources.isSame(own, source);
  }

  private static @Nullable DataSource dataSource(SessionFactoryImplementor factory) {
    @Nullable ConnectionProvider provider =
        factory.getServiceRegistry().getService(ConnectionProvider.class);
    return provider != null && provider.isUnwrappableAs(DataSource.class)
        ? provider.unwrap(DataSource.class)
        : null;
  }

  /** Returns the session that is bound to the thread, directly or in a holder. */
  private static @Nullable SessionImplementor session(Object bound) {
    if (bound instanceof EntityManagerHolder holder) {
      return holder.getEntityManager().unwrap(SessionImplementor.class);
    }
    return bound instanceof SessionImplementor session ? session : null;
  }

  private static @Nullable Connection connection(SessionImplementor session) {
    LogicalConnectionImplementor connection = session.getJdbcCoordinator().getLogicalConnection();
    if (!connection.isOpen() || !connection.isPhysicallyConnected()) {
      return null;
    }
    if (session.isTransactionInProgress()) {
      return connection.getPhysicalConnection();
    }
    if (connection.getResourceRegistry().hasRegisteredResources()) {
      // Without autocommit, nothing would commit the writes of the call.
      return commitsItself(connection.getPhysicalConnection())
          ? connection.getPhysicalConnection()
          : null;
    }
    connection.manualDisconnect();
    return null;
  }

  private static boolean commitsItself(Connection connection) {
    try {
      return connection.getAutoCommit();
    } catch (SQLException e) {
      return false;
    }
  }
}
