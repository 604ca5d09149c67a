package io.pgtoaster.hibernate.jsonb;

import java.util.ArrayList;
import java.util.List;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has written of a document, until it ends: a rollback brings it back. Not
 * thread-safe.
 */
final class PendingWrites {
  private final DocumentState document;
  private final List<Change> changes = new ArrayList<>();
  private boolean whole;

  /** The session in whose transaction it was written, until that ends. */
  private @Nullable SharedSessionContractImplementor enlisted;

  PendingWrites(DocumentState document) {
    this.document = document;
  }

  /** Notes that all of the document was written. */
  void wroteWhole(SharedSessionContractImplementor session) {
    enlist(session);
    whole = true;
    changes.clear();
  }

  void wrote(SharedSessionContractImplementor session, List<Change> written) {
    enlist(session);
    if (!whole) {
      changes.addAll(written);
    }
  }

  private void enlist(SharedSessionContractImplementor session) {
    if (enlisted != session) {
      enlisted = session;
      AfterCompletionCallback callback =
          (success, s) -> {
            if (enlisted == session) {
              completed(success);
            }
          };
      session.getTransactionCompletionCallbacks().registerCallback(callback);
    }
  }

  /** A session that was closed in its transaction has rolled it back, and tells nobody. */
  void settle() {
    SharedSessionContractImplementor session = enlisted;
    if (session != null && !session.isOpenOrWaitingForAutoClose()) {
      completed(false);
    }
  }

  private void completed(boolean success) {
    enlisted = null;
    if (!success) {
      document.rolledBack(whole, changes);
    }
    changes.clear();
    whole = false;
  }
}
