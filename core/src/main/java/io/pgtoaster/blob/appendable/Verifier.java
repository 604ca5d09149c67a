package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for damage: missing, misplaced and misshapen rows, and where rows have a CRC32C, in them.
 */
record Verifier(Store store, Pins pins, ChunkReader reader) {
  private static final int PAGE_ROWS = 10_000;
  private static final int MAX_FINDINGS = 100;
  private static final int WINDOW_BYTES = 1 << 20;

  Verifier(Store store) {
    this(store, new Pins(store), new ChunkReader(store, new Pins(store)));
  }

  List<String> verify(Connection connection, RowKey key) throws SQLException {
    List<String> findings = new ArrayList<>();
    AppendablePin pin;
    try {
      pin = pins.pin(connection, key);
    } catch (BlobCorruptException e) {
      findings.add(e.getMessage());
      return findings;
    }
    if (pin.chunkSize() < 1
        || pin.chunkSize() > LastRun.MAX_BYTES
        || pin.stable() < 0
        || pin.stable() > pin.length()
        || pin.length() - pin.stable() > LastRun.MAX_BYTES) {
      findings.add(
          "the head of the blob is damaged: it tells of chunks of %d bytes up to offset %d and a length of %d"
              .formatted(pin.chunkSize(), pin.stable(), pin.length()));
      return findings;
    }
    checkGrid(connection, pin, findings);
    checkStrays(connection, pin, findings);
    checkContent(connection, pin, findings);
    return findings;
  }

  /** Every chunk is at its place on the grid and full. */
  private void checkGrid(Connection connection, AppendablePin pin, List<String> findings)
      throws SQLException {
    long wanted = 0;
    int rows;
    do {
      rows = 0;
      try (PreparedStatement s = Store.prepare(connection, store.sql().chunkSummary)) {
        int next = pin.blob().bind(s, 1);
        s.setLong(next++, wanted);
        s.setInt(next, PAGE_ROWS);
        try (ResultSet r = s.executeQuery()) {
          while (r.next() && findings.size() < MAX_FINDINGS) {
            rows++;
            long start = r.getLong(1);
            if (start >= pin.stable()) {
              rows = 0;
              break;
            }
            if (start != wanted) {
              findings.add("chunks between offsets " + wanted + " and " + start + " are missing");
            }
            if (r.getInt(2) != pin.chunkSize()) {
              findings.add(
                  "the chunk at offset "
                      + start
                      + " has "
                      + r.getInt(2)
                      + " bytes instead of "
                      + pin.chunkSize());
            }
            wanted = start + pin.chunkSize();
          }
        }
      }
    } while (rows == PAGE_ROWS && findings.size() < MAX_FINDINGS);
    if (wanted < pin.stable()) {
      findings.add("chunks from offset " + wanted + " to " + pin.stable() + " are missing");
    }
  }

  /** No row lies where the head says that there is none. */
  private void checkStrays(Connection connection, AppendablePin pin, List<String> findings)
      throws SQLException {
    try (PreparedStatement s = Store.prepare(connection, store.sql().strayRows)) {
      int next = 1;
      for (int i = 0; i < 6; i++) {
        next = pin.blob().bind(s, next);
      }
      try (ResultSet r = s.executeQuery()) {
        long strays = 0;
        while (r.next()) {
          strays += r.getLong(1);
        }
        if (strays > 0) {
          findings.add(strays + " rows lie outside of the blob");
        }
      }
    }
  }

  /** Pieces and tail can be read; chunks too where they have a checksum to compare. */
  private void checkContent(Connection connection, AppendablePin pin, List<String> findings)
      throws SQLException {
    int size = pin.chunkSize();
    byte[] window = new byte[Math.max(1, WINDOW_BYTES / size) * size];
    long at = store.options().crc32c() ? 0 : pin.stable();
    while (at < pin.length() && findings.size() < MAX_FINDINGS) {
      int count = (int) Math.min(window.length, pin.length() - at);
      try {
        reader.read(connection, pin, at, window, 0, count);
      } catch (BlobCorruptException e) {
        findings.add(e.getMessage());
      }
      at += count;
    }
  }
}
