package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.BYTEA;
import static io.pgtoaster.benchmarks.contender.Names.LARGE_OBJECT;
import static io.pgtoaster.benchmarks.contender.Names.LARGE_OBJECT_SQL;

import io.pgtoaster.benchmarks.contender.blob.BlobContender;
import io.pgtoaster.benchmarks.contender.blob.BlobSession;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.trial.Batch;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Trial;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Question 4. Operation: append 100 bytes and commit, while other threads append to the same value
 * or to their own.
 */
final class Appenders extends Trial {
  private static final String ONE = "one";
  private static final int PIECE = 100;
  private static final long START = 1 << 20;
  private static final Set<String> UNORDERED = Set.of(LARGE_OBJECT, LARGE_OBJECT_SQL);

  private final byte[] piece = Payload.random().bytes(0, PIECE);
  private final BlobContender blobs;
  private final int values;
  private final long appended;
  private int first;

  Appenders(Cell cell) throws Exception {
    int threads = cell.batch().threads();
    boolean one = cell.get("values").equals(ONE);
    values = one ? 1 : threads;
    appended = (long) PIECE * cell.operations() * (one ? threads : 1);
    blobs = BlobContender.open(cell.contender());
  }

  static Batch batch(Plan plan, Cell cell) {
    boolean rewrites = cell.contender().equals(BYTEA);
    int all = plan.pick(80, rewrites ? 80 : 800);
    return plan.batch(Math.max(1, all / cell.number("connections")));
  }

  static @Nullable String objection(Plan plan, Cell cell) {
    return UNORDERED.contains(cell.contender())
            && cell.get("values").equals(ONE)
            && cell.number("connections") > 1
        ? "nothing serialises appends to a large object: they overwrite each other"
        : null;
  }

  @Override
  public Database database() {
    return blobs.database();
  }

  @Override
  public boolean clocked() {
    return true;
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
  public void end(Counters cost) throws Exception {
    Checks.written(cost);
    try (BlobSession session = blobs.session()) {
      Checks.equal("the length", START + appended, session.length(first));
    }
  }
}
