package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What do appends of all sizes cost, side by side with a large object? */
final class MixedQuestion implements Question {
  private static final List<Integer> SIZES =
      List.of(10, 100, 1000, 4000, 10_000, 50_000, 200_000, 1_000_000);

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    int count = settings.number("mixed", 600);
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("mixed: appends of 10 B to 1 MB, each committed", bench.environment());
      Payload payload = Payload.random();
      BlobTable blob = bench.blobTable("blob", BlobOptions.defaults());
      long oid = bench.largeObject();
      Appender pgtoaster = Appender.pgtoaster(blob.own());
      Appender largeObject = Appender.largeObject(bench.connection(), oid);
      for (int size : SIZES) {
        int appends = Math.max(5, Math.min(count, 64_000_000 / size) / 3);
        byte[] bytes = payload.bytes(size, size);
        List<Result> times =
            new Rounds(3, 1, bench.cpu())
                .run(
                    List.of(
                        Contender.latency("pgtoaster", appends, () -> pgtoaster.append(bytes)),
                        Contender.latency(
                            "large object", appends, () -> largeObject.append(bytes))));
        report.table("append of " + size + " bytes", "us", times);
        List<Result> wal = new ArrayList<>();
        wal.add(logged(bench, "pgtoaster", pgtoaster, List.of(bytes), appends));
        wal.add(logged(bench, "large object", largeObject, List.of(bytes), appends));
        report.table("WAL of an append of " + size + " bytes, mean", "bytes", wal);
      }
      Random random = new Random(11);
      List<byte[]> mixture = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        mixture.add(payload.bytes(i, (int) Math.pow(10, 1 + 5 * random.nextDouble())));
      }
      long bytes = mixture.stream().mapToLong(b -> b.length).sum();
      List<Result> times =
          new Rounds(3, 1, bench.cpu())
              .run(
                  List.of(
                      Contender.throughput(
                          "pgtoaster", bytes, Work.NONE, () -> all(pgtoaster, mixture)),
                      Contender.throughput(
                          "large object", bytes, Work.NONE, () -> all(largeObject, mixture))));
      report.table(count + " appends of sizes from 10 bytes to 1 MB, log-uniform", "MB/s", times);
      List<Result> wal = new ArrayList<>();
      wal.add(logged(bench, "pgtoaster", pgtoaster, mixture, count));
      wal.add(logged(bench, "large object", largeObject, mixture, count));
      report.table("WAL of one of them, mean (data: " + bytes / count + ")", "bytes", wal);
    }
  }

  private static void all(Appender appender, List<byte[]> mixture) throws Exception {
    for (byte[] bytes : mixture) {
      appender.append(bytes);
    }
  }

  private static Result logged(
      Workbench bench, String name, Appender appender, List<byte[]> bytes, int count)
      throws Exception {
    bench.checkpoint();
    for (int i = 0; i < 20; i++) {
      appender.append(bytes.get(i % bytes.size()));
    }
    long before = bench.walPosition();
    for (int i = 0; i < count; i++) {
      appender.append(bytes.get(i % bytes.size()));
    }
    double each = (double) (bench.walPosition() - before) / count;
    return Result.single(name, each);
  }
}
