package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.BlobAppend;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.it.kit.Records;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A thread that changes many rows in each call, until the server is killed. Several of them share
 * the rows that they append to. It counts the reported batches of each kind.
 */
final class BatchWriter {
  static final int ROWS = 20;

  /** More than the key of any shared row. */
  private static final long INSERTED = 1_000_000_000L;

  private static final DocumentPath LIST = DocumentPath.parse("list");

  private final int number;
  private final List<Long> keys;
  private final boolean tokens;
  private AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
  private int blobs;
  private int documents;
  private int inserts;

  /** The batches that may have been stored without being reported: at most one. */
  private int uncertain;

  BatchWriter(int number, List<Long> keys) {
    this.number = number;
    this.keys = keys;
    this.tokens = number % 2 == 0;
  }

  void run(
      BlobColumn blobColumn, DocumentColumn column, AtomicInteger done, BooleanSupplier killed) {
    try {
      while (!killed.getAsBoolean()) {
        append(blobColumn);
        done.incrementAndGet();
        column.appendAll(LIST, map(key -> number + " " + documents));
        documents++;
        done.incrementAndGet();
        column.insertAll(
            inserted(inserts).stream()
                .collect(Collectors.toMap(key -> key, BatchWriter::smallOrSplit)));
        inserts++;
        done.incrementAndGet();
      }
    } catch (OutcomeUnknownException e) {
      uncertain = 1;
    } catch (ConnectionLostException | ConnectionUnavailableException e) {
      // The last batch changed nothing.
    }
  }

  /** Appends a record to each blob. Returns whether an earlier call did. */
  private boolean append(BlobColumn column) {
    byte[] bytes = Records.record(number, blobs, Records.size(number, blobs) % 5000);
    boolean repeated = false;
    if (tokens) {
      AppendOptions options = AppendOptions.defaults().withToken(token);
      Map<Long, AppendOutcome> outcomes =
          column.appendEach(map(key -> new BlobAppend(bytes, options)));
      List<Boolean> each =
          outcomes.values().stream().map(o -> o.orElseThrow().repeated()).distinct().toList();
      assertThat(each).as("all rows of a batch are alike").hasSize(1);
      repeated = each.get(0);
      token = token.next();
    } else {
      assertThat(column.appendAll(map(key -> bytes))).hasSize(ROWS);
    }
    blobs++;
    return repeated;
  }

  /**
   * Asserts that each batch is stored completely or not at all, that all reported batches are
   * stored, and that no other batch is stored except the one that was interrupted.
   *
   * @param records returns the number of this thread's records in a blob
   * @param entries returns the number of this thread's entries in a document
   * @param rows returns how many of some rows exist
   */
  void check(
      ToIntFunction<Long> records, ToIntFunction<Long> entries, ToIntFunction<List<Long>> rows) {
    for (int batch = 0; batch < inserts; batch++) {
      assertThat(rows.applyAsInt(inserted(batch))).as(this + ", insert %d", batch).isEqualTo(ROWS);
    }
    int more = rows.applyAsInt(inserted(inserts));
    assertThat(more).as(this + ", insert %d", inserts).isIn(0, ROWS);
    more = more / ROWS + inAll("records", records, blobs) + inAll("entries", entries, documents);
    assertThat(more).as(this + ", not reported").isBetween(0, uncertain);
  }

  private int inAll(String what, ToIntFunction<Long> count, int reported) {
    List<Integer> counts = keys.stream().map(count::applyAsInt).distinct().toList();
    assertThat(counts).as(this + ", " + what + " in each row").hasSize(1);
    return counts.get(0) - reported;
  }

  /** Sends the interrupted append again; it is stored once. */
  void retry(BlobColumn column, ToIntFunction<Long> records) {
    if (tokens) {
      boolean landed = records.applyAsInt(keys.get(0)) > blobs;
      assertThat(append(column)).as(this + ", repeated").isEqualTo(landed);
    }
  }

  int number() {
    return number;
  }

  @Override
  public String toString() {
    return "writer %d of the rows from %d".formatted(number, keys.get(0));
  }

  private static Map<String, String> smallOrSplit(long key) {
    return Map.of("list", "x".repeat(key % 2 == 0 ? 9 : 900));
  }

  private <V> Map<Long, V> map(Function<Long, V> value) {
    return keys.stream().collect(Collectors.toMap(key -> key, value));
  }

  private List<Long> inserted(int batch) {
    long first = INSERTED + keys.get(0) * 1_000_000 + number * 100_000L + (long) batch * ROWS;
    return LongStream.range(first, first + ROWS).boxed().toList();
  }
}
