package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.BlobSession;
import io.pgtoaster.benchmarks.contender.Payload;
import io.pgtoaster.benchmarks.server.Database;

/**
 * Question 4. Operation: append 100 bytes and commit, while other threads append to the same value
 * or to values of their own.
 */
final class Appenders extends Trial {
  private static final int PIECE = 100;
  private static final long START = 1 << 20;

  private final byte[] piece = Payload.random().bytes(0, PIECE);
  private final BlobContender blobs;
  private final int values;
  private final long appended;
  private int first;

  Appenders(Cell cell) throws Exception {
    boolean one = cell.get("values").equals("one");
    values = one ? 1 : cell.threads();
    appended = (long) PIECE * cell.operations() * (one ? cell.threads() : 1);
    blobs = BlobContender.open(cell.contender(), "none");
  }

  @Override
  public Database database() {
    return blobs.database();
  }

  @Override
  public void begin() throws Exception {
    first = blobs.fill(values, START, Payload.random());
  }

  @Override
  public Operation operation(int thread) throws Exception {
    BlobSession session = blobs.session();
    return () -> session.append(first + thread % values, piece);
  }

  @Override
  public void end() throws Exception {
    try (BlobSession session = blobs.session()) {
      Checks.equal("the length", START + appended, session.length(first));
    }
  }
}
