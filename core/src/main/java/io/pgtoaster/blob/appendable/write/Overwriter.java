package io.pgtoaster.blob.appendable.write;

import io.pgtoaster.blob.appendable.format.ChunkInput;
import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.blob.appendable.format.Piece;
import io.pgtoaster.blob.appendable.format.TailSegment;
import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Heads;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AppendRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Overwrites and truncates blobs. Both increase the generation, so that open readers notice the
 * change.
 */
public record Overwriter(Store store, Heads heads, PendingTail pendingTail, Appender appender) {
  private static final int BATCH_BYTES = 1 << 20;

  public Overwriter(Store store) {
    this(store, new Heads(store), new PendingTail(store), new Appender(store));
  }

  /**
   * Changes a blob with the routine of its store, if the store has no checksums.
   *
   * @param op write, truncate or seal
   * @param at offset or length, or null
   * @param data the bytes to write, or null
   * @return true if the change was made; false for one of several reasons
   */
  public boolean tryChange(
      Connection connection, RowKey key, String op, @Nullable Long at, byte @Nullable [] data)
      throws SQLException {
    if (!store.column().routines()
        || store.options().crc32c()
        || (data != null && data.length > Appender.MAX_ROUTINE)) {
      return false;
    }
    try {
      return Query.is(connection, store.sql(BlobSql.CHANGE, key), key, op, Query.bigint(at), data);
    } catch (SQLException e) {
      throw Store.corruptOr(e);
    }
  }

  public void write(
      Connection connection, RowKey key, long offset, byte[] array, int from, int count)
      throws SQLException {
    Head head = heads.lock(connection, key).requireOpen(store.place());
    if (offset > head.length()) {
      throw new InvalidOffsetException(
          "offset %s is beyond the end at %s in %s; a blob has no holes"
              .formatted(offset, head.length(), store.place()));
    }
    head.requireKept(offset);
    if (count == 0) {
      return;
    }
    if (offset == head.length()) {
      appender.append(connection, head, new AppendRequest(array, from, count, null, null, null));
      return;
    }
    Head next = head.nextGeneration();
    int inChunks = (int) Math.max(0, Math.min(count, head.pieceStart() - offset));
    if (inChunks > 0) {
      writeChunks(connection, head, offset, array, from, inChunks);
    }
    TailSegment run = pendingTail.join(head);
    int rest = count - inChunks;
    if (rest == 0) {
      pendingTail.flush(connection, next, head.pieceStart(), run);
      return;
    }
    // Overwrite the bytes of the last run, and append the bytes beyond its end.
    int at = Math.toIntExact(offset + inChunks - head.pieceStart());
    int over = Math.min(rest, run.count() - at);
    byte[] bytes = Arrays.copyOf(run.bytes(), run.count());
    System.arraycopy(array, from + inChunks, bytes, at, over);
    ChunkInput input =
        new ChunkInput(TailSegment.of(bytes), array, from + inChunks + over, rest - over);
    int pieces = pendingTail.flush(connection, next, head.pieceStart(), input, 0);
    pendingTail.dropSpare(connection, head, pieces);
  }

  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    Head head = heads.lock(connection, key).requireOpen(store.place());
    long now = head.length();
    if (length > now) {
      throw new InvalidOffsetException(
          "cannot truncate to " + length + ": the blob in " + store.place() + " has " + now);
    }
    if (length == now) {
      return;
    }
    Head next = head.nextGeneration();
    if (length == 0 && head.first() > 0) {
      Query.update(connection, store.sql(BlobSql.DELETE_CHUNKS), head.blob(), 0L);
      Query.update(connection, store.sql(BlobSql.SET_FIRST), Query.bigint(null), head.blob());
      flush(connection, head, next, 0, TailSegment.EMPTY);
      return;
    }
    head.requireKept(length);
    if (length >= head.pieceStart()) {
      TailSegment run = pendingTail.join(head);
      TailSegment kept = run.first((int) (length - head.pieceStart()));
      flush(connection, head, next, head.pieceStart(), kept);
      return;
    }
    Piece last = chunkAt(connection, head, length);
    long start = last.start();
    TailSegment run = TailSegment.of(last.data()).first((int) (length - start));
    Query.update(connection, store.sql(BlobSql.DELETE_CHUNKS), head.blob(), start);
    flush(connection, head, next, start, run);
  }

  /**
   * Discards bytes with the routine of the store.
   *
   * @return the first offset that is left; null if nothing was changed, for one of several reasons
   */
  public @Nullable Long tryDiscard(Connection connection, RowKey key, long offset)
      throws SQLException {
    if (!store.column().routines()) {
      return null;
    }
    Query.Rows<Long> first =
        r -> r.next() && r.getString(1).equals("applied") ? (Long) r.getLong(2) : null;
    return Query.find(connection, store.sql(BlobSql.DISCARD, key), first, key, offset);
  }

  /** Discards the bytes before an offset. The chunk that contains the offset remains whole. */
  public long discard(Connection connection, RowKey key, long offset) throws SQLException {
    Head head = heads.lock(connection, key).requireOpen(store.place());
    if (offset > head.length()) {
      throw new InvalidOffsetException(
          "offset "
              + offset
              + " is beyond the end at "
              + head.length()
              + " in "
              + store.place()
              + "; nothing was discarded");
    }
    if (offset <= head.first()) {
      return head.first();
    }
    if (!store.column().routines()) {
      throw new CatalogException(
          "the store of %s has no routines of this version; its owner must run SELECT pgtoaster.mirror_privileges(%s)"
              .formatted(store.place(), Identifiers.literal(store.column().quotedTable())));
    }
    long before = head.first() - head.chunkSize();
    Query.update(
        connection, store.sql(BlobSql.DISCARD_CHUNKS), head.blob(), before, offset, offset);
    Query.update(connection, store.sql(BlobSql.SET_FIRST), offset, head.blob());
    return offset;
  }

  /** Writes the last run and deletes the rest of the previous one. */
  private void flush(Connection connection, Head head, Head next, long start, TailSegment run)
      throws SQLException {
    pendingTail.dropSpare(connection, head, pendingTail.flush(connection, next, start, run));
  }

  private void writeChunks(
      Connection connection, Head head, long offset, byte[] array, int from, int count)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(store.sql(BlobSql.UPDATE_CHUNK))) {
      int done = 0;
      while (done < count) {
        // Only the first chunk contains the offset; each other chunk begins at the end of its
        // predecessor.
        Piece first = chunkAt(connection, head, offset + done);
        long at = first.start();
        int batched = 0;
        for (int length : lengths(connection, head, at, offset + count)) {
          long last = Math.min(at + length, offset + count);
          int over = (int) (last - offset - done);
          byte[] data =
              over == length
                  ? new byte[length]
                  : (batched == 0 ? first : chunkAt(connection, head, at)).data();
          System.arraycopy(array, from + done, data, (int) (offset + done - at), over);
          update.setBytes(1, data);
          update.setObject(2, store.checksum(data, 0, length), Types.INTEGER);
          update.setLong(head.blob().bind(update, 3), at);
          update.addBatch();
          done += over;
          at += length;
          batched += length;
        }
        if (batched == 0) {
          throw damaged(at);
        }
        if (Arrays.stream(update.executeBatch()).anyMatch(rows -> rows != 1)) {
          throw damaged(offset);
        }
      }
    }
  }

  /** Returns the lengths of the chunks from an offset on, up to an end or the size of one batch. */
  private List<Integer> lengths(Connection connection, Head head, long start, long end)
      throws SQLException {
    return Query.read(
        connection,
        store.sql(BlobSql.CHUNK_LENGTHS),
        r -> {
          List<Integer> lengths = new ArrayList<>();
          long at = start;
          while (r.next()) {
            if (r.getLong(1) != at || r.getInt(2) < 1 || r.getInt(2) > head.chunkSize()) {
              throw damaged(at);
            }
            lengths.add(r.getInt(2));
            at += r.getInt(2);
          }
          return lengths;
        },
        head.blob(),
        start,
        Math.min(start + BATCH_BYTES, end),
        BATCH_BYTES);
  }

  /** Returns the chunk with the byte at an offset. */
  private Piece chunkAt(Connection connection, Head head, long offset) throws SQLException {
    String sql = store.sql(BlobSql.CHUNK_AT);
    Piece chunk =
        Query.first(connection, sql, r -> Piece.read(r, 1), Store.BINARY, head.blob(), offset);
    if (chunk == null
        || chunk.data().length > head.chunkSize()
        || offset - chunk.start() >= chunk.data().length
        || chunk.damaged()) {
      throw damaged(offset);
    }
    return chunk;
  }

  private BlobCorruptException damaged(long offset) {
    return store.damaged("the chunk", offset);
  }
}
