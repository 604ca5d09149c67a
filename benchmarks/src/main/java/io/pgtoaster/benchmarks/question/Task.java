package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static java.util.Map.entry;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.trial.Batch;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Trial;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark. {@code report/question-N.json} lists its cells.
 *
 * @param opener opens the trial of a cell
 * @param batching decides how a cell is measured
 * @param objection returns why a cell is not measured; null if it is
 */
public record Task(Opener opener, Batching batching, Objection objection) {
  /** Opens a trial. */
  @FunctionalInterface
  public interface Opener {
    Trial open(Cell cell) throws Exception;
  }

  /** Decides how a cell is measured. */
  @FunctionalInterface
  interface Batching {
    Batch of(Plan plan, Cell cell);
  }

  /** Returns why a cell is not measured; null if it is. */
  @FunctionalInterface
  interface Objection {
    @Nullable String of(Plan plan, Cell cell);
  }

  private static final Batching TIMED = (plan, cell) -> plan.timed();
  private static final Objection NONE = (plan, cell) -> null;
  private static final Objection READS = (plan, cell) -> plan.reading();

  private static final Map<String, Task> ALL =
      Map.ofEntries(
          entry("Appends.append", new Task(Appends::new, Appends::batch, Appends::objection)),
          entry("Growth.grow", new Task(Growth::new, Growth::batch, Growth::objection)),
          entry("Streams.write", new Task(Streams::new, Streams::batch, NONE)),
          entry("Streams.read", new Task(Streams::new, Streams::batch, READS)),
          entry("Streams.range", new Task(Streams::new, Streams::batch, READS)),
          entry(
              "Appenders.append", new Task(Appenders::new, Appenders::batch, Appenders::objection)),
          entry("KeyAccess.get", new Task(Documents::new, TIMED, READS)),
          entry("Tables.ids", new Task(Tables::new, TIMED, Task::sameAsChunkTables)),
          entry("Updates.set", new Task(Documents::new, TIMED, NONE)),
          entry("Updates.insert", new Task(Documents::new, TIMED, Task::appendsInstead)),
          entry("Updates.append", new Task(Documents::new, Documents::appends, NONE)),
          entry("Updates.create", new Task(Documents::new, Documents::creates, NONE)),
          entry("Updates.put", new Task(Documents::new, TIMED, (plan, cell) -> tooLarge(cell))),
          entry("Updates.load", new Task(Documents::new, TIMED, Task::tooLargeOrReads)),
          entry("Compression.values", new Task(CompressedValues::new, TIMED, READS)),
          entry("Compression.titles", new Task(CompressedDocuments::new, TIMED, READS)),
          entry("Compression.scan", new Task(CompressedDocuments::new, TIMED, READS)),
          entry("Budgets.scan", new Task(Budgets::new, TIMED, READS)),
          entry("Budgets.get", new Task(Budgets::new, TIMED, READS)),
          entry("Entities.transaction", new Task(Entities::new, TIMED, Entities::objection)),
          entry("Ycsb.run", new Task(Ycsb::new, Ycsb::batch, Ycsb::objection)));

  /** Returns the task with a name such as Appends.append. */
  public static Task of(String benchmark) {
    Task task = ALL.get(benchmark);
    if (task == null) {
      throw new IllegalArgumentException("no such benchmark: " + benchmark);
    }
    return task;
  }

  /** An actor takes about 130 bytes per role. */
  private static @Nullable String tooLarge(Cell cell) {
    return Names.speaksMongo(cell.contender()) && cell.number("elements") > 100_000
        ? "a document of MongoDB's protocol has at most 16 MB"
        : null;
  }

  private static @Nullable String tooLargeOrReads(Plan plan, Cell cell) {
    String tooLarge = tooLarge(cell);
    return tooLarge == null ? plan.reading() : tooLarge;
  }

  private static @Nullable String appendsInstead(Plan plan, Cell cell) {
    return cell.contender().equals(Names.FERRETDB)
        ? "FerretDB 1.24 ignores $position, and appends"
        : null;
  }

  private static @Nullable String sameAsChunkTables(Plan plan, Cell cell) {
    return cell.contender().equals(EXTENSION)
        ? "the same statements on the same rows as chunk tables"
        : plan.reading();
  }
}
