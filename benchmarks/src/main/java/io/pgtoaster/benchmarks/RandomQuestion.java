package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.blob.BlobReader;
import java.util.List;
import java.util.Random;

/** How long does it take to read 4 KB anywhere in a big value? */
final class RandomQuestion implements Question {
  private static final String OPEN = "pgtoaster open BlobReader";
  private static final String KEY = "pgtoaster read by row key, own";
  private static final String KEY_CALLERS = "pgtoaster read by row key, caller's";
  private static final String LO_GET = "lo_get";
  private static final String SEEK = "large object seek + read";

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    long bytes = settings.megabytes("random-mb", 1024);
    try (Workbench bench = Workbench.open(settings)) {
      report.heading(
          "random: 4 KB at random offsets of " + (bytes >> 20) + " MB", bench.environment());
      Payload payload = Payload.random();
      BlobTable blob =
          bench.blobTable("blob", BlobOptions.defaults()).filled(payload.stream(0, bytes));
      long oid = new Writers(bench, payload, bytes).largeObject(512 << 10);
      bench.execute("CREATE TABLE bench.named (id bigint PRIMARY KEY, data bigint)");
      bench.execute("INSERT INTO bench.named VALUES (1, " + oid + ")");
      bench.execute("VACUUM ANALYZE");
      bench.checkpoint();
      int reads = settings.number("random-reads", 2000);
      try (BlobReader open = blob.own().open(1L);
          RangeReader loGet = RangeReader.loGet(bench.connectionOf(LO_GET), oid);
          RangeReader loGetByKey =
              RangeReader.loGetByKey(bench.connectionOf("by key"), "bench.named");
          RangeReader seek = RangeReader.largeObject(bench.connectionOf(SEEK), oid)) {
        List<Result> results =
            new Rounds(settings.number("rounds", 7), 1, bench.cpu())
                .run(
                    List.of(
                        latency(LO_GET, reads, bytes, payload, loGet),
                        latency(OPEN, reads, bytes, payload, RangeReader.open(open)),
                        latency(KEY, reads, bytes, payload, RangeReader.byKey(blob.own())),
                        latency(
                            KEY_CALLERS,
                            reads,
                            bytes,
                            payload,
                            RangeReader.byKey(blob.on(bench.connectionOf(KEY_CALLERS)))),
                        latency("lo_get by row key", reads, bytes, payload, loGetByKey),
                        latency(SEEK, reads, bytes, payload, seek)));
        report.table("median of " + reads + " reads", "us", results);
        report.atMost("open reader / lo_get", Question.ratio(results, OPEN, LO_GET), 1.5);
        report.atMost("by row key / lo_get", Question.ratio(results, KEY, LO_GET), 2.2);
        report.atMost("open reader / seek + read", Question.ratio(results, OPEN, SEEK), 1.0);
        report.atMost("by row key / seek + read", Question.ratio(results, KEY, SEEK), 1.0);
      }
    }
  }

  private static Contender latency(
      String name, int reads, long bytes, Payload payload, RangeReader reader) {
    Random random = new Random(name.hashCode());
    return Contender.latency(
        name,
        reads,
        () -> {
          long offset = random.nextLong(bytes - RangeReader.SIZE);
          byte[] read = reader.read(offset);
          int last = RangeReader.SIZE - 1;
          if (read[0] != payload.at(offset) || read[last] != payload.at(offset + last)) {
            throw new IllegalStateException(name + " read other bytes than were written");
          }
        });
  }
}
