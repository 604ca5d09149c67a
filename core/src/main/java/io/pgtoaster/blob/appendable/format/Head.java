package io.pgtoaster.blob.appendable.format;

import io.pgtoaster.error.BlobSealedException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A head row.
 *
 * @param blob the blob of this head
 * @param base end of the pieces, where the tail begins
 * @param pieceStart end of the full chunks, where the pieces begin
 * @param pieceRows number of pieces
 * @param tail the stored form of the tail, see {@link Tail}
 * @param chunkSize maximum number of bytes in a chunk
 * @param generation number that each overwrite or truncation increases
 * @param sealed whether the blob is final
 * @param tokensSince time before which writers may have been forgotten, or null
 * @param first offset of the first byte that was not discarded
 * @param pieces the pieces that were read with the head
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Head(
    BlobId blob,
    long base,
    long pieceStart,
    int pieceRows,
    byte[] tail,
    int chunkSize,
    long generation,
    boolean sealed,
    @Nullable Instant tokensSince,
    long first,
    List<Piece> pieces) {

  /** The columns that {@link #read} expects, in order, before the offset of the first byte. */
  public static final String COLUMNS =
      "h.id, h.base, h.piece_start, h.piece_rows, h.tail, h.chunk_size, h.generation, h.sealed,"
          + " h.tokens_since";

  public static Head read(ResultSet r, boolean leadingKey) throws SQLException {
    @Nullable OffsetDateTime since = r.getObject(9, OffsetDateTime.class);
    return new Head(
        new BlobId(leadingKey ? r.getString(11) : null, r.getLong(1)),
        r.getLong(2),
        r.getLong(3),
        r.getInt(4),
        r.getBytes(5),
        r.getInt(6),
        r.getLong(7),
        r.getBoolean(8),
        since == null ? null : since.toInstant(),
        r.getLong(10),
        List.of());
  }

  public Head withPieces(List<Piece> read) {
    return with(chunkSize, generation, sealed, read);
  }

  public byte[] tailBytes() {
    return Tail.bytes(tail);
  }

  public long length() {
    return base + tailBytes().length;
  }

  /** Returns this head, or throws an exception if the blob is sealed. */
  public Head requireOpen(String place) {
    if (sealed) {
      throw new BlobSealedException(
          "the blob in " + place + " is sealed at " + length() + " bytes; nothing was changed");
    }
    return this;
  }

  public Head withChunkSize(int newChunkSize) {
    return with(newChunkSize, generation, sealed, pieces);
  }

  private Head with(int newChunkSize, long newGeneration, boolean newSealed, List<Piece> read) {
    return new Head(
        blob,
        base,
        pieceStart,
        pieceRows,
        tail,
        newChunkSize,
        newGeneration,
        newSealed,
        tokensSince,
        first,
        read);
  }
}
