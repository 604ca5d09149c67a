package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.BlobSession;
import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.contender.Payload;
import io.pgtoaster.benchmarks.server.Database;
import java.util.Arrays;

/** Question 1. Operation: append bytes to an existing value and commit. */
final class Appends extends Trial {
  private static final long MOST_FILLED = 64 << 20;

  private final Payload payload = Payload.random();
  private final BlobContender blobs;
  private final BlobSession session;
  private final long bytes;
  private final int piece;
  private final long[] lengths;
  private int first;
  private int next;

  Appends(Cell cell) throws Exception {
    bytes = cell.bytes("size");
    piece = (int) cell.bytes("piece");
    blobs = BlobContender.open(cell.contender(), "none");
    session = blobs.session();
    long values = Math.min(Math.min(cell.operations(), 100), MOST_FILLED / bytes);
    lengths = new long[(int) Math.max(1, values)];
    fill();
  }

  private void fill() throws Exception {
    first = blobs.fill(lengths.length, bytes, payload);
    Arrays.fill(lengths, bytes);
  }

  @Override
  public Database database() {
    return blobs.database();
  }

  /** Writes new values if the old ones have grown too much. */
  @Override
  public void begin() throws Exception {
    next = 0;
    if (lengths[0] > 3 * bytes / 2 && lengths[0] > bytes + 4096) {
      fill();
    }
  }

  /** Appends to one value after the other. */
  @Override
  public Operation operation(int thread) {
    return () -> {
      int n = next++ % lengths.length;
      session.append(first + n, payload.bytes(lengths[n], piece));
      lengths[n] += piece;
    };
  }

  @Override
  public void check() throws Exception {
    Checks.equal(
        "the bytes of a value", Checksums.of(payload.stream(0, lengths[0])), session.read(first));
    int last = lengths.length - 1;
    Checks.equal("the length", lengths[last], session.length(first + last));
  }
}
