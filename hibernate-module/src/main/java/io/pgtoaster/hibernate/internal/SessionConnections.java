package io.pgtoaster.hibernate.internal;

import java.sql.Connection;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** Provides the connections of sessions. */
final class SessionConnections {
  private SessionConnections() {}

  /**
   * Returns the connection of a session. First executes statements that Hibernate has put into a
   * batch, so that later statements see their rows. Outside a transaction, the session keeps the
   * connection until its next operation or transaction ends, or until it is closed.
   */
  static Connection current(SharedSessionContractImplementor session) {
    session.getJdbcCoordinator().executeBatch();
    return outsideBatch(session);
  }

  /** Returns the connection of a session without executing the batch. */
  static Connection outsideBatch(SharedSessionContractImplementor session) {
    return session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection();
  }
}
