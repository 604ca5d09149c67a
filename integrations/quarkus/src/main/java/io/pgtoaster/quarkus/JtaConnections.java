package io.pgtoaster.quarkus;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Returns the connection of the JTA transaction in the calling thread, which Hibernate uses too.
 * All calls in a transaction share one handle of that connection.
 */
record JtaConnections(DataSource dataSource, TransactionSynchronizationRegistry registry)
    implements Supplier<@Nullable Connection> {

  @Override
  public @Nullable Connection get() {
    int status = registry.getTransactionStatus();
    if (status != Status.STATUS_ACTIVE && status != Status.STATUS_MARKED_ROLLBACK) {
      return null;
    }
    try {
      if (registry.getResource(this) instanceof Connection handle && !handle.isClosed()) {
        return handle;
      }
      Connection handle = dataSource.getConnection();
      registry.putResource(this, handle);
      if (status == Status.STATUS_ACTIVE) {
        // The pool closes handles that are still open at the commit, but logs a warning.
        registry.registerInterposedSynchronization(new Closing(handle));
      }
      return handle;
    } catch (SQLException e) {
      throw new IllegalStateException("the connection of the transaction cannot be used", e);
    }
  }

  private record Closing(Connection handle) implements Synchronization {
    @Override
    public void beforeCompletion() {
      try {
        handle.close();
      } catch (SQLException e) {
        throw new IllegalStateException("the connection of the transaction cannot be closed", e);
      }
    }

    @Override
    public void afterCompletion(int status) {
      // After a rollback, the pool has closed the handle.
    }
  }
}
