package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.BlobSession;
import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.contender.Payload;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import java.util.Random;

/**
 * Question 3. Operation: write one value from a stream and commit, read all of it, or read 4 KB at
 * a random offset. Each connection has its own value.
 */
final class Streams extends Trial {
  private static final int RANGE = 4096;

  private final Payload payload = Payload.random();
  private final BlobContender blobs;
  private final Cell cell;
  private final int threads;
  private final long bytes;
  private final long checksum;
  private final boolean writes;
  private int first;

  Streams(Cell cell) throws Exception {
    this.cell = cell;
    threads = cell.threads();
    bytes = cell.bytes("size");
    checksum = Checksums.of(payload.stream(0, bytes));
    writes = cell.method().equals("write");
    blobs = BlobContender.open(cell.contender(), "none");
    if (!writes) {
      first = blobs.fill(threads, bytes, payload);
    }
  }

  @Override
  public Database database() {
    return blobs.database();
  }

  @Override
  public boolean writes() {
    return writes;
  }

  @Override
  public void begin() throws Exception {
    if (writes) {
      first = blobs.add(threads);
    }
  }

  @Override
  public Operation operation(int thread) throws Exception {
    BlobSession session = blobs.session();
    Random random = new Random(thread);
    return switch (cell.method()) {
      case "write" -> () -> session.write(first + thread, payload.stream(0, bytes), bytes);
      case "read" -> () -> Checks.equal("the bytes", checksum, session.read(first + thread));
      default -> () -> range(session, first + thread, random.nextLong(bytes - RANGE));
    };
  }

  private void range(BlobSession session, long id, long offset) throws Exception {
    byte[] range = session.range(id, offset, RANGE);
    if (range.length != RANGE || range[RANGE - 1] != payload.at(offset + RANGE - 1)) {
      throw new IllegalStateException("wrong bytes at " + offset);
    }
  }

  @Override
  public void end() {
    Meter.add("bytes", (double) bytes);
  }

  @Override
  public void check() throws Exception {
    try (BlobSession session = blobs.session()) {
      Checks.equal("the bytes of a value", checksum, session.read(first));
    }
  }
}
