package io.pgtoaster.blob.appendable;

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
 * @param blob whose head it is
 * @param base end of the pieces, where the tail begins
 * @param pieceStart end of the full chunks, where the pieces begin
 * @param pieceRows number of pieces
 * @param tail the stored form of the tail, see {@link Tail}
 * @param chunkSize bytes in each chunk
 * @param generation raised by overwrites
 * @param sealed whether it is final
 * @param createdAt by the server's clock
 * @param tokensSince time before which writers may have been forgotten, or null
 * @param pieces that were read with it, or null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Head(
    BlobId blob,
    long base,
    long pieceStart,
    int pieceRows,
    byte[] tail,
    int chunkSize,
    long generation,
    boolean sealed,
    Instant createdAt,
    @Nullable Instant tokensSince,
    @Nullable List<Piece> pieces) {

  /** The columns that {@link #read} wants, in order. */
  static final String COLUMNS =
      "h.id, h.base, h.piece_start, h.piece_rows, h.tail, h.chunk_size, h.generation, h.sealed,"
          + " h.created_at, h.tokens_since";

  static Head read(ResultSet r, boolean leadingKey) throws SQLException {
    @Nullable OffsetDateTime since = r.getObject(10, OffsetDateTime.class);
    return new Head(
        new BlobId(leadingKey ? r.getString(11) : null, r.getLong(1)),
        r.getLong(2),
        r.getLong(3),
        r.getInt(4),
        r.getBytes(5),
        r.getInt(6),
        r.getLong(7),
        r.getBoolean(8),
        r.getObject(9, OffsetDateTime.class).toInstant(),
        since == null ? null : since.toInstant(),
        null);
  }

  Head withPieces(List<Piece> read) {
    return new Head(
        blob,
        base,
        pieceStart,
        pieceRows,
        tail,
        chunkSize,
        generation,
        sealed,
        createdAt,
        tokensSince,
        read);
  }

  byte[] tailBytes() {
    return Tail.bytes(tail);
  }

  long length() {
    return base + tailBytes().length;
  }

  /** Refuses to change a sealed blob. */
  Head requireOpen(String place) {
    if (sealed) {
      throw new BlobSealedException(
          "the blob in " + place + " is sealed at " + length() + " bytes; nothing was changed");
    }
    return this;
  }

  /** The same head with other content in its last run of bytes. */
  Head with(long newPieceStart, long newBase, int newPieceRows, byte[] newTail) {
    return new Head(
        blob,
        newBase,
        newPieceStart,
        newPieceRows,
        newTail,
        chunkSize,
        generation,
        sealed,
        createdAt,
        tokensSince,
        null);
  }

  Head nextGeneration() {
    return with(chunkSize, generation + 1, sealed);
  }

  Head withSealed() {
    return with(chunkSize, generation, true);
  }

  Head withChunkSize(int newChunkSize) {
    return with(newChunkSize, generation, sealed);
  }

  private Head with(int newChunkSize, long newGeneration, boolean newSealed) {
    return new Head(
        blob,
        base,
        pieceStart,
        pieceRows,
        tail,
        newChunkSize,
        newGeneration,
        newSealed,
        createdAt,
        tokensSince,
        null);
  }
}
