package io.pgtoaster.hibernate.internal;

import java.util.function.Consumer;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.jspecify.annotations.Nullable;

/** Notifies a value once of the outcome of the transaction that wrote it. Not thread-safe. */
public final class TransactionEnd {
  private final Consumer<Boolean> listener;
  private @Nullable SharedSessionContractImplementor awaited;

  public TransactionEnd(Consumer<Boolean> listener) {
    this.listener = listener;
  }

  /** Registers for the end of a session's transaction. */
  public void await(SharedSessionContractImplementor session) {
    if (awaited == session) {
      return;
    }
    awaited = session;
    AfterCompletionCallback callback =
        (success, s) -> {
          // Otherwise the value was detached, and another session has written it since then.
          if (awaited == session) {
            ended(success);
          }
        };
    session.getTransactionCompletionCallbacks().registerCallback(callback);
  }

  /**
   * Checks whether the session was closed during its transaction, which rolls it back without a
   * callback.
   */
  public void check() {
    SharedSessionContractImplementor session = awaited;
    if (session != null && !session.isOpenOrWaitingForAutoClose()) {
      ended(false);
    }
  }

  private void ended(boolean success) {
    awaited = null;
    listener.accept(success);
  }
}
