package io.pgtoaster.hibernate.internal;

import java.sql.Connection;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** The connections of sessions. */
final class SessionConnections {
  private SessionConnections() {}

  /**
   * Returns the connection of a session. Statements that Hibernate has put into a batch are
   * executed before, so that what comes sees their rows. Outside of a transaction the session keeps
   * it, until its next own operation or transaction ends, or it is closed.
   */
  static Connection current(SharedSessionContractImplementor session) {
    session.getJdbcCoordinator().executeBatch();
    return beside(session);
  }

  /** Returns the connection of a session; a batch stays open. */
  static Connection beside(SharedSessionContractImplementor session) {
    return session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection();
  }
}
