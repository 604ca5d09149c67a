package io.pgtoaster.hibernate.internal;

import java.util.function.Consumer;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.jspecify.annotations.Nullable;

/**
 * Tells a value, once, how the transaction ended in which a session has written it. Not
 * thread-safe.
 */
public final class TransactionEnd {
  private final Consumer<Boolean> listener;
  private @Nullable SharedSessionContractImplementor awaited;

  /**
   * Awaits nothing yet.
   *
   * @param listener called with whether the transaction has committed
   */
  public TransactionEnd(Consumer<Boolean> listener) {
    this.listener = listener;
  }

  /**
   * Awaits the end of a session's transaction.
   *
   * @param session has written the value
   */
  public void await(SharedSessionContractImplementor session) {
    if (awaited == session) {
      return;
    }
    awaited = session;
    AfterCompletionCallback callback =
        (success, s) -> {
          // Else it was detached, and another session has written it since.
          if (awaited == session) {
            ended(success);
          }
        };
    session.getTransactionCompletionCallbacks().registerCallback(callback);
  }

  /**
   * Looks whether the session was closed in its transaction: that is rolled back without a call.
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
