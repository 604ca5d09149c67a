package io.pgtoaster.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The session of Hibernate that stays open in the calling thread after its transactions, as {@code
 * spring.jpa.open-in-view} keeps it for a request. Such a session keeps its connection, too: a call
 * that takes a second one waits for other requests that do the same.
 */
final class OpenSession {
  private OpenSession() {}

  /**
   * Returns the connection that a session is in the middle of using; makes an idle session release
   * its connection, which it takes again at its next statement.
   *
   * @return null if the thread holds no connection of the data source any more
   */
  static @Nullable Connection connection(DataSource source) {
    for (Map.Entry<Object, Object> bound :
        TransactionSynchronizationManager.getResourceMap().entrySet()) {
      if (bound.getValue() instanceof EntityManagerHolder holder
          && bound.getKey() instanceof EntityManagerFactoryInfo factory
          && factory.getNativeEntityManagerFactory() instanceof SessionFactoryImplementor
          && isFor(factory, source)) {
        @Nullable Connection used =
            connection(holder.getEntityManager().unwrap(SessionImplementor.class));
        if (used != null) {
          return used;
        }
      }
    }
    return null;
  }

  private static boolean isFor(EntityManagerFactoryInfo factory, DataSource source) {
    @Nullable DataSource own = factory.getDataSource();
    return own != null && Objects.equals(DataSources.innermost(own), DataSources.innermost(source));
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
      // Nobody would commit what a call writes outside autocommit.
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
