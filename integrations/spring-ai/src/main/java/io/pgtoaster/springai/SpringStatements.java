package io.pgtoaster.springai;

import io.pgtoaster.chatmemory.RowStatements;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Statements that join Spring's transactions. */
record SpringStatements(DataSource dataSource) implements RowStatements {
  @Override
  public void run(Work work) throws SQLException {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      work.run(connection);
      if (!connection.getAutoCommit()
          && !DataSourceUtils.isConnectionTransactional(connection, dataSource)) {
        connection.commit();
      }
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  @Override
  public boolean inTransaction() {
    return TransactionSynchronizationManager.isActualTransactionActive();
  }

  @Override
  public void onRollback(Runnable action) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED) {
              action.run();
            }
          }
        });
  }
}
