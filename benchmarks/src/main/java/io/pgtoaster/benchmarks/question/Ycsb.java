package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.document.DocumentStore;
import io.pgtoaster.benchmarks.contender.document.StoreSession;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.trial.Batch;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Trial;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Question 9. Operation: one operation of a YCSB workload, on records that are documents with ten
 * members. The choice of records follows a Zipfian distribution.
 */
final class Ycsb extends Trial {
  private final DocumentStore documents;
  private final YcsbWorkload work;
  private long changed;

  Ycsb(Cell cell) throws Exception {
    documents = DocumentStore.open(cell.contender());
    long bytes = cell.bytes("size");
    int count = (int) Math.max(50, Math.min(1000, (16L << 20) / bytes));
    work = new YcsbWorkload(cell.get("workload"), count, (int) (bytes / YcsbWorkload.FIELDS));
    try (StoreSession session = documents.loader()) {
      work.load(session);
    }
    documents.addOthers();
    documents.settle();
  }

  static Batch batch(Plan plan, Cell cell) {
    return plan.timed().withThreads(2 * plan.available().cores());
  }

  static @Nullable String objection(Plan plan, Cell cell) {
    return cell.get("workload").equals("C") ? plan.reading() : null;
  }

  @Override
  public @Nullable Database database() {
    return documents.database();
  }

  @Override
  public void begin() throws Exception {
    documents.settle();
  }

  @Override
  public Operation operation(int thread) throws Exception {
    StoreSession session = documents.session();
    Random random = new Random(thread);
    return () -> work.one(session, random);
  }

  @Override
  public void end(Counters cost) {
    if (work.mixed()) {
      Checks.changed(work.changed() - changed);
      Checks.written(cost);
    }
    changed = work.changed();
  }

  @Override
  public void check() throws Exception {
    Checks.equal("changes", work.planned(), work.changed());
    Checks.equal("records", work.inserted(), documents.count());
  }

  @Override
  public void close() throws Exception {
    try (documents) {
      check();
    }
  }
}
