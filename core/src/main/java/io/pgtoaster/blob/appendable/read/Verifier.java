package io.pgtoaster.blob.appendable.read;

import io.pgtoaster.blob.appendable.format.TailSegment;
import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.internal.Query;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Checks a blob for damage: missing, misplaced and malformed rows, and wrong CRC32Cs in rows that
 * have one.
 */
public record Verifier(Store store, Pins pins, ChunkReader reader) {
  private static final int LOOKS = 5;
  private static final int PAGE_ROWS = 10_000;
  private static final int MAX_FINDINGS = 100;
  private static final int WINDOW_BYTES = 1 << 20;

  public Verifier(Store store) {
    this(store, new Pins(store), new ChunkReader(store, new Pins(store)));
  }

  /** Returns the findings. Checks again if the blob changed or chunks were joined meanwhile. */
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    List<String> findings = List.of();
    AppendablePin before = null;
    for (int look = 0; look < LOOKS; look++) {
      AppendablePin pin;
      try {
        pin = pins.pin(connection, key);
      } catch (BlobCorruptException e) {
        return List.of(e.getMessage());
      }
      if (pin.equals(before)) {
        break;
      }
      findings = check(connection, pin);
      if (findings.isEmpty()) {
        break;
      }
      before = pin;
    }
    return findings;
  }

  private List<String> check(Connection connection, AppendablePin pin) throws SQLException {
    List<String> findings = new ArrayList<>();
    if (pin.chunkSize() < 1
        || pin.chunkSize() > TailSegment.MAX_BYTES
        || pin.stable() < 0
        || pin.stable() > pin.length()
        || pin.length() - pin.stable() > TailSegment.MAX_BYTES
        || pin.first() < 0
        || pin.first() > pin.length()) {
      findings.add(
          ("the head of the blob is damaged: it states chunks of %d bytes up to offset %d, a"
                  + " length of %d, and %d discarded bytes")
              .formatted(pin.chunkSize(), pin.stable(), pin.length(), pin.first()));
      return findings;
    }
    checkChunks(connection, pin, findings);
    checkStrays(connection, pin, findings);
    checkContent(connection, pin, findings);
    return findings;
  }

  /** Checks that chunks are contiguous and that none is empty or too long. */
  private void checkChunks(Connection connection, AppendablePin pin, List<String> findings)
      throws SQLException {
    // The first chunk may begin before the first offset that is left.
    boolean begins = pin.first() > 0;
    long wanted = pin.first();
    long behind = 0;
    record Chunk(long start, int length) {}
    List<Chunk> page;
    do {
      page =
          Query.list(
              connection,
              store.sql(BlobSql.CHUNK_LENGTHS),
              r -> new Chunk(r.getLong(1), r.getInt(2)),
              pin.blob(),
              behind,
              pin.stable(),
              PAGE_ROWS);
      for (Chunk chunk : page) {
        if (begins) {
          wanted = Math.min(wanted, chunk.start());
          begins = false;
        }
        if (findings.size() < MAX_FINDINGS) {
          wanted = checkChunk(pin, wanted, chunk.start(), chunk.length(), findings);
        }
        behind = chunk.start() + 1;
      }
    } while (page.size() == PAGE_ROWS && findings.size() < MAX_FINDINGS);
    if (wanted < pin.stable() && findings.size() < MAX_FINDINGS) {
      findings.add("chunks from offset " + wanted + " to " + pin.stable() + " are missing");
    }
  }

  private static long checkChunk(
      AppendablePin pin, long wanted, long start, int length, List<String> findings) {
    if (start > wanted) {
      findings.add("chunks between offsets " + wanted + " and " + start + " are missing");
    } else if (start < wanted) {
      findings.add(
          "the chunk at offset %s begins before the end of the previous one, at %s"
              .formatted(start, wanted));
    }
    if (length < 1 || length > pin.chunkSize()) {
      findings.add(
          "the chunk at offset %s has %s bytes, which is not between 1 and %s"
              .formatted(start, length, pin.chunkSize()));
    } else if (start + length > pin.stable()) {
      findings.add(
          "the chunk at offset " + start + " reaches beyond the end of chunks at " + pin.stable());
    }
    return start + length;
  }

  /** Checks that no row is outside the ranges of the head. */
  private void checkStrays(Connection connection, AppendablePin pin, List<String> findings)
      throws SQLException {
    Object[] blobs = Collections.nCopies(6, pin.blob()).toArray();
    long strays =
        Query.list(connection, store.sql(BlobSql.STRAY_ROWS), r -> r.getLong(1), blobs).stream()
            .mapToLong(Long::longValue)
            .sum();
    if (strays > 0) {
      findings.add(strays + " rows lie outside the blob");
    }
  }

  /** Checks that pieces and tail are readable. If chunks have checksums, checks the chunks, too. */
  private void checkContent(Connection connection, AppendablePin pin, List<String> findings)
      throws SQLException {
    int size = pin.chunkSize();
    int window = Math.max(1, WINDOW_BYTES / size) * size;
    long at = Math.max(pin.first(), store.options().crc32c() ? 0 : pin.stable());
    while (at < pin.length() && findings.size() < MAX_FINDINGS) {
      int count = (int) Math.min(window, pin.length() - at);
      try {
        reader.read(connection, pin, at, count);
      } catch (BlobCorruptException e) {
        findings.add(e.getMessage());
      }
      at += count;
    }
  }
}
