package io.pgtoaster.blob.appendable.write;

import io.pgtoaster.blob.appendable.format.ChunkInput;
import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.blob.appendable.format.Piece;
import io.pgtoaster.blob.appendable.format.TailSegment;
import io.pgtoaster.blob.appendable.read.AppendablePin;
import io.pgtoaster.blob.appendable.read.ChunkReader;
import io.pgtoaster.blob.appendable.read.Pins;
import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Heads;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.ByteArrays;
import io.pgtoaster.internal.Query;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.SQLException;

/** Compacts and copies blobs. Neither changes the content, so open readers can continue. */
public record Compactor(
    Store store, Heads heads, PendingTail pendingTail, Pins pins, ChunkReader reader) {
  private static final long COPY_BYTES = 64L << 20;
  private static final int SAMPLE_CHUNKS = 16;
  private static final int WINDOW_BYTES = 1 << 20;

  public Compactor(Store store) {
    this(
        store,
        new Heads(store),
        new PendingTail(store),
        new Pins(store),
        new ChunkReader(store, new Pins(store)));
  }

  /**
   * Joins short chunks into full chunks and all pieces into one. Converts the blob to the current
   * chunk size and compression of its store. Returns the number of rows rewritten.
   */
  public long compact(Connection connection, RowKey key) throws SQLException {
    Head head = heads.lock(connection, key);
    long begin = firstChunk(connection, head);
    long from =
        head.chunkSize() == store.options().chunkSize()
            ? firstToJoin(connection, head, begin)
            : begin;
    if (from >= 0) {
      return rechunk(connection, head, from);
    }
    long rows = recompress(connection, head);
    int pieces = head.pieceRows();
    if (pieces > 1) {
      TailSegment run = pendingTail.join(head);
      pieces = pendingTail.flush(connection, head, head.pieceStart(), run);
    }
    return rows + pendingTail.dropSpare(connection, head, pieces);
  }

  /** Returns the start of the first chunk that is left. */
  private long firstChunk(Connection connection, Head head) throws SQLException {
    if (head.first() == 0) {
      return 0;
    }
    Query.Rows<Long> start = r -> r.next() ? r.getObject(1, Long.class) : null;
    Long first = Query.find(connection, store.sql(BlobSql.FIRST_CHUNK), start, head.blob());
    return first == null ? head.pieceStart() : first;
  }

  /**
   * Returns the start of the first short chunk, if there are more than twice as many chunks from
   * there on as needed; otherwise -1. Rewriting fewer chunks is not worth the cost.
   */
  private long firstToJoin(Connection connection, Head head, long begin) throws SQLException {
    long size = head.chunkSize();
    return Query.one(
        connection,
        store.sql(BlobSql.SHORT_CHUNKS),
        r -> {
          long start = r.getLong(1);
          if (r.wasNull()) {
            return -1L;
          }
          long rows = r.getLong(2) - (start - begin) / size;
          long wanted = 1 + (head.pieceStart() - start) / size;
          return rows > 2 * wanted ? start : -1L;
        },
        size,
        head.blob());
  }

  private long recompress(Connection connection, Head head) throws SQLException {
    String compression = store.options().compression();
    String sql = store.sql(BlobSql.RECOMPRESS_CHUNKS);
    long rows = Query.update(connection, sql, head.blob(), head.blob(), compression, compression);
    return compression.equals("none") ? rows : rows + compress(connection, head);
  }

  /**
   * Compresses chunks that are stored uncompressed; returns how many became compressed. Such a
   * chunk is either incompressible or was written before compression was enabled; the row does not
   * show which. So a sample of the blob's chunks is rewritten first. The rest follows only if the
   * sample became smaller, so that compact does not rewrite an incompressible blob each time.
   */
  private long compress(Connection connection, Head head) throws SQLException {
    long size = head.chunkSize();
    long some = Math.max(1, head.pieceStart() / size / SAMPLE_CHUNKS) * size;
    long gained = compress(connection, head, some);
    return gained == 0 || some == size ? gained : gained + compress(connection, head, size);
  }

  private long compress(Connection connection, Head head, long step) throws SQLException {
    long before = compressed(connection, head, step);
    long size = head.chunkSize();
    Query.update(
        connection, store.sql(BlobSql.COMPRESS_CHUNKS), head.blob(), head.blob(), step, size);
    return compressed(connection, head, step) - before;
  }

  private long compressed(Connection connection, Head head, long step) throws SQLException {
    long size = head.chunkSize();
    String sql = store.sql(BlobSql.COMPRESSED_CHUNKS);
    return Query.one(connection, sql, r -> r.getLong(1), head.blob(), step, size);
  }

  /**
   * Rewrites the chunks after an offset with the store's chunk size. Deletes old chunks just before
   * it inserts the new ones, so that the two never have the same offset.
   */
  private long rechunk(Connection connection, Head head, long from) throws SQLException {
    Head changed = head.withChunkSize(store.options().chunkSize());
    TailSegment last = pendingTail.join(head);
    TailSegment carried = TailSegment.EMPTY;
    long at = from;
    String delete = store.sql(BlobSql.DELETE_CHUNK_RANGE);
    try (ChunkWriter chunks = new ChunkWriter(store, connection, changed, from)) {
      while (at < head.pieceStart()) {
        byte[] window = next(connection, head, at);
        Query.update(connection, delete, head.blob(), at, at + window.length);
        at += window.length;
        carried = chunks.write(new ChunkInput(carried, window, 0, window.length));
      }
      TailSegment rest = chunks.write(new ChunkInput(carried, last.bytes(), 0, last.count()));
      pendingTail.dropSpare(
          connection, head, pendingTail.store(connection, changed, chunks.end(), rest));
      if (head.first() > 0) {
        // A new chunk may be so short that it ends before the first offset that is left.
        Query.update(
            connection,
            store.sql(BlobSql.DISCARD_CHUNKS),
            head.blob(),
            from - 1,
            head.first(),
            head.first());
      }
      return Math.max(1, (chunks.end() - from) / changed.chunkSize());
    }
  }

  /** Returns the bytes of some whole chunks from an offset on. */
  private byte[] next(Connection connection, Head head, long start) throws SQLException {
    int size = head.chunkSize();
    Query.Rows<ByteArrayOutputStream> chunks =
        r -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream(WINDOW_BYTES);
          while (r.next()) {
            Piece chunk = Piece.read(r, 1);
            int length = chunk.data().length;
            if (chunk.start() != start + bytes.size()
                || length > size
                || chunk.start() + length > head.pieceStart()
                || chunk.damaged()) {
              break;
            }
            bytes.writeBytes(chunk.data());
          }
          return bytes;
        };
    ByteArrayOutputStream window =
        Query.read(
            connection,
            store.sql(BlobSql.CHUNKS_FROM),
            chunks,
            Store.BINARY,
            head.blob(),
            start,
            Math.max(1, WINDOW_BYTES / size));
    if (window.size() == 0) {
      throw store.damaged("the chunk", start);
    }
    return window.toByteArray();
  }

  /**
   * Copies content of limited length with the store's routines; returns false if the store has
   * checksums.
   */
  public boolean tryCopy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return store.column().routines()
        && !store.options().crc32c()
        && store.routing().together(source, target)
        && Query.is(
            connection,
            store.sql(BlobSql.COPY_FEW, target),
            source,
            Query.integer(Appender.MAX_ROUTINE),
            target);
  }

  /**
   * Copies chunk rows inside the server. Returns false if the chunk sizes differ, the target has
   * bytes, the blobs are on different nodes, bytes of the source were discarded, or its chunks were
   * rewritten meanwhile.
   */
  public boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    if (!store.routing().together(source, target)) {
      return false;
    }
    AppendablePin from = pins.pin(connection, source);
    Head to = heads.lockOrCreate(connection, target);
    if (from.first() > 0 || to.length() > 0 || to.chunkSize() != from.chunkSize()) {
      return false;
    }
    long copied = copyChunks(connection, from, to);
    if (pins.refresh(connection, from).chunkSize() != from.chunkSize() || copied != from.stable()) {
      Query.update(connection, store.sql(BlobSql.DELETE_CHUNKS), to.blob(), 0L);
      return false;
    }
    int rest = (int) (from.length() - from.stable());
    byte[] run = ByteArrays.joined(reader.read(connection, from, from.stable(), rest));
    pendingTail.flush(connection, to, from.stable(), TailSegment.of(run));
    return true;
  }

  /** Copies contiguous chunks; returns the end of the copied bytes. */
  private long copyChunks(Connection connection, AppendablePin from, Head target)
      throws SQLException {
    String sql = store.sql(BlobSql.COPY_CHUNKS);
    long at = 0;
    while (at < from.stable()) {
      long to = Math.min(at + COPY_BYTES, from.stable());
      Long next =
          Query.first(connection, sql, r -> r.getLong(1), target.blob(), from.blob(), at, to, at);
      if (next == null) {
        break;
      }
      at = next;
    }
    return at;
  }
}
