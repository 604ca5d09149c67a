package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.BlobSession;
import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.contender.Payload;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;

/**
 * Question 2. Operation: one append to a value that grows from empty, with its commit. The time is
 * the mean of all appends.
 */
final class Growth extends Trial {
  private final Payload payload = Payload.random();
  private final BlobContender blobs;
  private final BlobSession session;
  private final int step;
  private final long length;
  private int id;
  private long at;
  private double disk;

  Growth(Cell cell) throws Exception {
    step = (int) cell.bytes("step");
    length = (long) cell.operations() * step;
    blobs = BlobContender.open(cell.contender(), "none");
    session = blobs.session();
    int warm = blobs.add(1);
    for (int i = 0; i < 20; i++) {
      session.append(warm, payload.bytes(0, step));
    }
  }

  @Override
  public Database database() {
    return blobs.database();
  }

  @Override
  public void begin() throws Exception {
    database().vacuum();
    id = blobs.add(1);
    at = 0;
    disk = database().diskBytes();
  }

  @Override
  public Operation operation(int thread) {
    return () -> {
      session.append(id, payload.bytes(at, step));
      at += step;
    };
  }

  @Override
  public void end() throws Exception {
    Meter.add("bytes", step);
    Meter.add("diskRatio", (database().diskBytes() - disk) / length);
    Checks.equal("the bytes", Checksums.of(payload.stream(0, length)), session.read(id));
  }
}
