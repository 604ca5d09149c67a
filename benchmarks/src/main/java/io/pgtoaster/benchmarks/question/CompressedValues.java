package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.contender.blob.BlobContender;
import io.pgtoaster.benchmarks.contender.blob.BlobSession;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Space;
import io.pgtoaster.benchmarks.trial.Trial;
import java.util.Random;

/**
 * Question 7. Operation: read a whole value of 1 MB of log lines, with several readers at the same
 * time.
 */
final class CompressedValues extends Trial {
  private static final int VALUE = 1 << 20;

  private final BlobContender blobs;
  private final Space space;
  private final int count;
  private final long checksum;

  CompressedValues(Cell cell) throws Exception {
    Payload payload = Payload.logLines();
    count = Math.max(8, cell.batch().threads());
    checksum = Checksums.of(payload.stream(0, VALUE));
    blobs = BlobContender.open(cell.contender(), cell.get("compression"));
    space = new Space(database(), (double) count * VALUE);
    blobs.fill(count, VALUE, payload);
  }

  @Override
  public Database database() {
    return blobs.database();
  }

  @Override
  public Operation operation(int thread) throws Exception {
    BlobSession session = blobs.session();
    Random random = new Random(thread);
    return () -> Checks.equal("the bytes", checksum, session.read(1 + random.nextInt(count)));
  }

  @Override
  public void end(Counters cost) throws Exception {
    Meter.add("bytes", VALUE, "B");
    space.add();
  }
}
