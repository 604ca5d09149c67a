package io.pgtoaster.hibernate.internal;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BatchException;
import io.pgtoaster.internal.column.ColumnAccess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** First contents of rows, which one call per column appends together. */
public final class Appends {
  /** Longer contents, and those of ordinary columns, take one statement each anyway. */
  private static final int MAX_LENGTH = 64 << 10;

  private static final int MAX_ROWS = 1_000;

  /** The maximum number of bytes in one call, because the driver copies them. */
  private static final int MAX_BYTES = 1 << 20;

  /**
   * A call for all rows takes three round trips because of its savepoint, and for fewer rows more
   * CPU of the server than a call for each row.
   */
  private static final int MIN_ROWS = 6;

  private final Map<ColumnName, Call> calls = new LinkedHashMap<>();

  /**
   * Appends to a row whose owner's row is locked, at once or with other rows.
   *
   * @param column in the transaction of the session
   * @param bytes to append; must not change
   * @param appended runs after the bytes were appended
   */
  public void add(BlobColumn column, RowKey key, byte[] bytes, Runnable appended) {
    if (bytes.length > MAX_LENGTH || !column.capabilities().contains(BlobCapability.HANDLES)) {
      column.append(key, bytes);
      appended.run();
      return;
    }
    Call call = calls.computeIfAbsent(ColumnAccess.column(column).name(), name -> new Call(column));
    if (call.rows.size() == MAX_ROWS || call.bytes + bytes.length > MAX_BYTES) {
      call.send();
    }
    call.rows.put(key, bytes);
    call.bytes += bytes.length;
    call.appended.add(appended);
  }

  /** Appends what is not appended yet. */
  public void send() {
    calls.values().forEach(Call::send);
  }

  private static final class Call {
    private final BlobColumn column;
    private final Map<RowKey, byte[]> rows = new LinkedHashMap<>();
    private final List<Runnable> appended = new ArrayList<>();
    private int bytes;

    Call(BlobColumn column) {
      this.column = column;
    }

    void send() {
      if (rows.size() < MIN_ROWS) {
        rows.forEach(column::append);
      } else {
        try {
          column.appendAll(rows);
        } catch (BatchException e) {
          // The transaction fails anyway. Throw the same exception as for a single row.
          throw e.failures().values().iterator().next();
        }
      }
      appended.forEach(Runnable::run);
      rows.clear();
      appended.clear();
      bytes = 0;
    }
  }
}
