package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.BlobSession;
import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.contender.Payload;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import java.util.Random;

/** Question 7. Operation: read a whole value of 1 MB of compressed log lines. */
final class Values extends Trial {
  private static final int VALUE = 1 << 20;
  private static final int COUNT = 8;

  private final BlobContender blobs;
  private final long checksum;
  private final double diskRatio;

  Values(Cell cell) throws Exception {
    Payload payload = Payload.logLines();
    checksum = Checksums.of(payload.stream(0, VALUE));
    blobs = BlobContender.open(cell.contender(), cell.get("compression"));
    database().vacuum();
    double before = database().diskBytes();
    blobs.fill(COUNT, VALUE, payload);
    diskRatio = (database().diskBytes() - before) / COUNT / VALUE;
  }

  @Override
  public Database database() {
    return blobs.database();
  }

  @Override
  public boolean writes() {
    return false;
  }

  @Override
  public Operation operation(int thread) throws Exception {
    BlobSession session = blobs.session();
    Random random = new Random(thread);
    return () -> Checks.equal("the bytes", checksum, session.read(1 + random.nextInt(COUNT)));
  }

  @Override
  public void end() {
    Meter.add("bytes", VALUE);
    Meter.add("diskRatio", diskRatio);
  }
}
