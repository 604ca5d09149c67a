package io.pgtoaster.benchmarks;

import static io.pgtoaster.benchmarks.Bars.require;
import static io.pgtoaster.benchmarks.Bars.tell;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.blob.BlobContender;
import io.pgtoaster.benchmarks.contender.blob.BlobSession;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that append to one blob and wait for their commits, compared with a large object. */
final class WriterBars {
  private static final int THREADS = 16;
  private static final int PIECE = 100;
  private static final int ROUNDS = 3;

  private WriterBars() {}

  private interface Append {
    void run(byte[] piece) throws Exception;
  }

  private interface Writers {
    Append open() throws Exception;
  }

  /** Appends {@code count} times in one thread, then in each of sixteen. */
  static void run(Workplace workplace, int count) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(workplace.dataSource());
    config.setMaximumPoolSize(THREADS);
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try (HikariDataSource pool = new HikariDataSource(config);
        BlobContender objects = BlobContender.open(Names.LARGE_OBJECT_LOCKED)) {
      ColumnName column =
          ColumnName.of("bench", workplace.table("bigint", "appendable", THREADS), "data");
      BlobColumn combined = PgToaster.create(pool).blobs(column);
      BlobColumn single = PgToaster.create(pool).inCallersThread().blobs(column);
      int object = objects.add(1);
      for (int round = 0; round < ROUNDS; round++) {
        for (int threads : new int[] {1, THREADS}) {
          measure("combined", executor, threads, count, () -> piece -> combined.append(0L, piece));
          measure(
              "not combined", executor, threads, count, () -> piece -> single.append(0L, piece));
          measure(
              Names.LARGE_OBJECT_LOCKED,
              executor,
              threads,
              count,
              () -> {
                BlobSession session = objects.session();
                return piece -> session.append(object, piece);
              });
        }
      }
      long bytes = (long) ROUNDS * (1 + THREADS) * (count + count / 10) * PIECE;
      require(combined.length(0L) == 2 * bytes, "the length differs from what was appended");
      require(combined.verify(0L).isEmpty(), "verify found damage");
      try (BlobSession session = objects.session()) {
        require(session.length(object) == bytes, "the large object has a different length");
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static void measure(
      String what, ExecutorService executor, int threads, int count, Writers writers)
      throws Exception {
    byte[] piece = Payload.random().bytes(0, PIECE);
    List<Append> appends = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      appends.add(writers.open());
    }
    seconds(executor, appends, piece, count / 10);
    double seconds = seconds(executor, appends, piece, count);
    tell("%-24s %2d threads %,10.0f appends a second", what, threads, threads * count / seconds);
  }

  private static double seconds(
      ExecutorService executor, List<Append> appends, byte[] piece, int count) throws Exception {
    List<Callable<Integer>> work = new ArrayList<>();
    for (Append append : appends) {
      work.add(
          () -> {
            for (int i = 0; i < count; i++) {
              append.run(piece);
            }
            return count;
          });
    }
    long start = System.nanoTime();
    for (Future<Integer> done : executor.invokeAll(work)) {
      done.get();
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
