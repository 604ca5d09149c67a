package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.TransactionEnd;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * Records which changes of a document a transaction has written, until it ends. A rollback restores
 * them. Not thread-safe.
 */
final class PendingWrites {
  private final DocumentState document;
  private final List<Change> changes = new ArrayList<>();
  private final TransactionEnd end = new TransactionEnd(this::completed);
  private boolean whole;

  PendingWrites(DocumentState document) {
    this.document = document;
  }

  /** Records that the whole document was written. */
  void wroteWhole(SharedSessionContractImplementor session) {
    end.await(session);
    whole = true;
    changes.clear();
  }

  void wrote(SharedSessionContractImplementor session, List<Change> written) {
    end.await(session);
    if (!whole) {
      changes.addAll(written);
    }
  }

  /** Checks whether the transaction was rolled back without a callback. */
  void check() {
    end.check();
  }

  private void completed(boolean success) {
    if (!success) {
      document.rolledBack(whole, changes);
    }
    changes.clear();
    whole = false;
  }
}
