package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.spi.AppendRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Combines the appends of several threads to one row. If no other append is in progress, an append
 * is sent at once. Appends that arrive meanwhile wait; then the first of them sends all of them as
 * one append.
 */
final class AppendCombiner {
  /** The maximum number of bytes of an append, alone or combined. */
  static final int MAX_BYTES = 256 << 10;

  private static final int MAX_CALLS = 1000;

  private final ReentrantLock lock = new ReentrantLock();

  /** The calls that wait, by row. A row is present while an append to it is in progress. */
  private final Map<RowKey, Deque<Call>> rows = new HashMap<>();

  /** The append of one thread. */
  private static final class Call {
    final AppendRequest request;
    final Deque<Call> line;
    private final Thread thread = Thread.currentThread();

    /** The position of this append's bytes in the bytes of the batch. */
    private int position;

    private volatile boolean leads;
    private volatile @Nullable Batch done;

    Call(AppendRequest request, Deque<Call> line) {
      this.request = request;
      this.line = line;
    }

    /**
     * Waits for its turn even if it is interrupted, because the bytes may have been sent already.
     */
    @Nullable Batch await() {
      boolean interrupted = false;
      while (!leads && done == null) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        thread.interrupt();
      }
      return done;
    }

    void lead() {
      leads = true;
      LockSupport.unpark(thread);
    }

    void end(Batch batch) {
      done = batch;
      LockSupport.unpark(thread);
    }
  }

  /** Appends that are sent as one. */
  private static final class Batch {
    private final List<Call> calls = new ArrayList<>();
    private int count;
    private @Nullable AppendResult result;
    private @Nullable Throwable failure;

    boolean add(Call call) {
      boolean fits = calls.size() < MAX_CALLS && count + call.request.count() <= MAX_BYTES;
      if (fits) {
        call.position = count;
        count += call.request.count();
        calls.add(call);
      }
      return fits;
    }

    private AppendRequest joined() {
      byte[] bytes = new byte[count];
      for (Call call : calls) {
        AppendRequest part = call.request;
        System.arraycopy(part.array(), part.from(), bytes, call.position, part.count());
      }
      return new AppendRequest(bytes, 0, count, null, null, null);
    }

    void send(Function<AppendRequest, AppendResult> append) {
      try {
        result = append.apply(joined());
      } catch (PgToasterException e) {
        failure = e;
      } catch (RuntimeException | Error e) {
        failure = e;
        throw e;
      }
    }

    /** Returns the outcome of an append of this batch, in the thread of the append. */
    AppendResult outcome(Call call, Function<AppendRequest, AppendResult> append) {
      if (result != null) {
        return new AppendResult(result.offset() + call.position, call.request.count(), false);
      }
      if (failure instanceof OutcomeUnknownException unknown) {
        throw new OutcomeUnknownException(String.valueOf(unknown.getMessage()), unknown.getCause());
      }
      if (failure instanceof PgToasterException) {
        // Nothing was appended, perhaps because of another append in the batch.
        return append.apply(call.request);
      }
      throw new OutcomeUnknownException(
          "the append may have been applied: another thread sent it together with its own append,"
              + " and failed; check the row before you repeat the call",
          failure);
    }
  }

  /**
   * Appends to a row.
   *
   * @param request at most {@link #MAX_BYTES}, without a stream, an expected offset or a token
   * @param append sends an append to the same row, from this thread
   */
  AppendResult append(
      RowKey key, AppendRequest request, Function<AppendRequest, AppendResult> append) {
    Call call = join(key, request);
    Batch batch = call.await();
    if (batch != null) {
      return batch.outcome(call, append);
    }
    batch = new Batch();
    try {
      fill(batch, call);
      if (batch.calls.size() == 1) {
        return append.apply(request);
      }
      batch.send(append);
    } finally {
      handOver(key, call.line);
      for (Call other : batch.calls) {
        other.end(batch);
      }
    }
    return batch.outcome(call, append);
  }

  private Call join(RowKey key, AppendRequest request) {
    lock.lock();
    try {
      Deque<Call> line = rows.get(key);
      Call call = new Call(request, line == null ? new ArrayDeque<>() : line);
      if (line == null) {
        rows.put(key, call.line);
        call.leads = true;
      } else {
        line.add(call);
      }
      return call;
    } finally {
      lock.unlock();
    }
  }

  /** Moves waiting calls to the batch, in order. */
  private void fill(Batch batch, Call leader) {
    batch.add(leader);
    // Pools refuse connections to interrupted threads, so an interrupted thread sends only its own
    // append.
    if (!Thread.currentThread().isInterrupted()) {
      lock.lock();
      try {
        while (!leader.line.isEmpty() && batch.add(leader.line.element())) {
          leader.line.remove();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Makes the first waiting call the leader. */
  private void handOver(RowKey key, Deque<Call> line) {
    @Nullable Call next;
    lock.lock();
    try {
      next = line.poll();
      if (next == null) {
        rows.remove(key);
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.lead();
    }
  }
}
