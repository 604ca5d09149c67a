package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.ContentTooLongException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.internal.ByteArrays;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.OperationContext;
import io.pgtoaster.internal.column.OwnerRows;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.OpenedBlob;
import io.pgtoaster.spi.PinnedBlob;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Combines operations of a toaster into calls, each in one transaction. */
record Edits(ColumnAccess<BlobToaster, BlobVtable> access) {
  private static final int MAX_REPLACE_ATTEMPTS = 5;
  private static final int READ_WINDOW = 4 << 20;

  Optional<BlobInfo> info(Object key) {
    return access.read(
        BlobOperation.row("info", key),
        (c, column, row) -> Optional.ofNullable(info(c, column.vtable(), row)));
  }

  private static @Nullable BlobInfo info(Connection connection, BlobVtable vtable, RowKey key)
      throws SQLException {
    try {
      PinnedBlob blob = vtable.pin(connection, key);
      return new BlobInfo(
          blob.length(), blob.first(), blob.generation(), blob.sealed(), blob.createdAt());
    } catch (BlobNotFoundException e) {
      return null;
    }
  }

  byte[] read(Object key, long offset, int length, boolean strict) {
    return access.read(
        new BlobOperation("read", key, offset, length),
        (c, column, row) -> range(c, column.vtable(), row, offset, length, strict));
  }

  /**
   * Reads a range of one row.
   *
   * @param strict whether an offset beyond the end is an error
   */
  static byte[] range(
      Connection connection, BlobVtable vtable, RowKey row, long offset, int length, boolean strict)
      throws SQLException {
    byte @Nullable [] bytes = vtable.tryRead(connection, row, offset, length);
    if (bytes != null && (bytes.length > 0 || !strict || offset == 0)) {
      return bytes;
    }
    PinnedBlob blob = vtable.pin(connection, row);
    if (offset > blob.length() && strict) {
      throw new InvalidOffsetException("the content ends at " + blob.length());
    }
    return bytes != null ? bytes : read(connection, vtable, blob, offset, length);
  }

  private static byte[] read(
      Connection connection, BlobVtable vtable, PinnedBlob blob, long offset, int length)
      throws SQLException {
    byte[] read = new byte[(int) Math.max(0, Math.min(length, blob.length() - offset))];
    int count;
    for (int at = 0; at < read.length; at += count) {
      count = Math.min(READ_WINDOW, read.length - at);
      ByteArrays.copy(vtable.read(connection, blob, offset + at, count), read, at);
    }
    return read;
  }

  byte[] readAll(Object key, int limit) {
    return access.read(
        BlobOperation.row("read", key),
        (c, column, row) -> {
          BlobVtable vtable = column.vtable();
          int first = Math.min(limit, BlobInputStream.MIN_WINDOW);
          OpenedBlob opened = vtable.open(c, row, 0, first);
          PinnedBlob blob = opened.pinned();
          long length = blob.length() - blob.first();
          if (length > limit) {
            throw new ContentTooLongException(
                "the blob has %s bytes, and the limit of this call is %s; read it as a stream"
                    .formatted(length, limit));
          }
          return opened.bytes().length == length
              ? opened.bytes()
              : read(c, vtable, blob, blob.first(), limit);
        });
  }

  List<String> tail(Object key, int lines) {
    return access.read(
        BlobOperation.row("tail", key),
        (c, column, row) -> LastLines.read(c, column.vtable(), column.vtable().pin(c, row), lines));
  }

  long discard(Object key, long offset) {
    return change(
        new BlobOperation("discard", key, offset, -1),
        0,
        (c, column, row) -> column.vtable().discard(c, row, offset));
  }

  void truncate(Object key, long length) {
    change(
        new BlobOperation("truncate", key, -1, length),
        0,
        (c, column, row) -> {
          column.vtable().truncate(c, row, length);
          return length;
        });
  }

  void seal(Object key) {
    change(
        BlobOperation.row("seal", key),
        0,
        (c, column, row) -> {
          column.vtable().seal(c, row);
          return row;
        });
  }

  void write(Object key, long offset, byte[] bytes) {
    change(
        new BlobOperation("write", key, offset, bytes.length),
        bytes.length,
        (c, column, row) -> {
          column.vtable().write(c, row, offset, bytes);
          return bytes;
        });
  }

  /** Makes a change, in a transaction only if it takes more than one statement. */
  private <R> R change(
      BlobOperation context, int bytes, ColumnAccess.Work<BlobToaster, BlobVtable, R> change) {
    return access.write(
        context,
        (c, column, row) ->
            bytes <= BlobVtable.MAX_WRITE && column.vtable().changesInOneStatement()
                ? Optional.of(change.apply(c, column, row))
                : Optional.empty(),
        change);
  }

  /** Writes a stream of any length, in windows and one transaction if it is long. */
  void write(Object key, long offset, InputStream in) {
    byte[] head = AppendCalls.read(in, AppendCalls.READ_AHEAD);
    if (head.length < AppendCalls.READ_AHEAD) {
      write(key, offset, head);
      return;
    }
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(head), in);
    access.inTransaction(
        new BlobOperation("write", key, offset, -1),
        false,
        (c, column, row) -> {
          // A text column rejects a window that cuts a character of the old content.
          int window = column.vtable().wholeCharacters() ? Integer.MAX_VALUE : BlobVtable.MAX_WRITE;
          long at = offset;
          int count;
          do {
            byte[] bytes = AppendCalls.read(all, window);
            count = bytes.length;
            column.vtable().write(c, row, at, bytes);
            at += count;
          } while (count == window);
          return at;
        });
  }

  /** The context of a call that has no row. */
  private record NoRow(Object key) implements OperationContext {
    @Override
    public String operation() {
      return "blob.create";
    }

    @Override
    public String describe(String column) {
      return column;
    }
  }

  long[] create(int count) {
    access.require(BlobCapability.HANDLES);
    return access.run(
        new NoRow(""),
        false,
        column -> {
          Connections connections = access.connections().current();
          if (!connections.inCallersTransaction()) {
            throw new TransactionRequiredException(
                "content without a row would be left to gc; create it in the transaction that"
                    + " inserts the row: on a connection with autocommit off");
          }
          return count == 0 ? new long[0] : connections.read(c -> column.vtable().create(c, count));
        });
  }

  AppendResult replace(Object key, AppendRequest request) {
    return access.inTransaction(
        BlobOperation.row("replace", key),
        request.rest() == null,
        (c, column, row) -> {
          for (int attempt = 0; attempt < MAX_REPLACE_ATTEMPTS; attempt++) {
            try {
              column.vtable().truncate(c, row, 0);
            } catch (BlobNotFoundException e) {
              // The append creates the content.
            }
            try {
              AppendResult result = column.vtable().tryAppend(c, row, request);
              return result != null ? result : column.vtable().append(c, row, request);
            } catch (OffsetConflictException e) {
              // Another session created the content between the two calls; truncate it in the next
              // attempt.
            }
          }
          throw new ConcurrencyException(
              "other writers kept changing the content; call replace again");
        });
  }

  void copy(Object from, Object to) {
    access.write(
        BlobOperation.copy(from, to),
        (c, column, source) ->
            column.vtable().tryCopy(c, source, column.key(to))
                ? Optional.of(source)
                : Optional.empty(),
        (c, column, source) -> {
          BlobVtable vtable = column.vtable();
          RowKey target = column.key(to);
          try {
            OwnerRows.lock(c, column.column(), target);
            if (info(c, vtable, target) != null) {
              throw new InvalidOffsetException(
                  "the row to copy to already has content; delete it first");
            }
          } catch (PgToasterException e) {
            // Up to this point, only the target can fail; after it, only the source.
            throw SqlErrors.at(
                e, BlobOperation.row("copy", to).describe(column.column().describe()));
          }
          try {
            return vtable.copy(c, source, target) ? target : copy(c, vtable, source, target);
          } catch (PgToasterException e) {
            throw SqlErrors.at(
                e, BlobOperation.row("copy", from).describe(column.column().describe()));
          }
        });
  }

  private static RowKey copy(Connection connection, BlobVtable vtable, RowKey source, RowKey target)
      throws SQLException {
    PinnedBlob blob = vtable.pin(connection, source);
    InputStream in =
        new BlobInputStream(
            (offset, count) -> {
              try {
                return vtable.read(connection, blob, offset, count);
              } catch (SQLException e) {
                throw SqlErrors.translate(e);
              }
            },
            blob.first(),
            blob.length(),
            BlobInputStream.NOTHING,
            false,
            () -> {});
    try {
      vtable.append(
          connection,
          target,
          AppendCalls.request(in, AppendOptions.defaults().withExpectedOffset(0)));
    } catch (UncheckedIOException e) {
      PgToasterException known = SqlErrors.causeOf(e);
      throw known == null ? e : known;
    }
    return target;
  }

  boolean delete(Object key) {
    return access.inTransaction(
        BlobOperation.row("delete", key),
        true,
        (c, column, row) -> {
          AttachedColumn at = column.column();
          String name = at.quotedColumn();
          String sql =
              "UPDATE %s AS o SET %s = NULL WHERE %s AND o.%s IS NOT NULL"
                  .formatted(at.quotedTable(), name, at.rowCondition(), name);
          if (Query.update(c, sql, row) > 0) {
            return true;
          }
          OwnerRows.lock(c, at, row);
          return false;
        });
  }

  List<RowKey> keys(@Nullable RowKey after, int limit) {
    return access.run(
        BlobOperation.row("keys", after == null ? "(first)" : after.values()),
        true,
        column -> access.connections().read(c -> OwnerRows.keys(c, column.column(), after, limit)));
  }
}
