package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** How fast does a value come out? */
final class ReadQuestion implements Question {
  private static final String OWN = "pgtoaster inputStream, own";
  private static final String CALLERS = "pgtoaster inputStream, caller's";
  private static final String LARGE_OBJECT = "large object";
  private static final String LO_STREAM = "large object, getInputStream()";
  private static final String COPY = "COPY out binary";

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    long bytes = settings.megabytes("read-mb", 256);
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("read: " + (bytes >> 20) + " MB from beginning to end", bench.environment());
      Payload payload = Payload.random();
      Writers writers = new Writers(bench, payload, bytes);
      BlobTable blob =
          bench.blobTable("blob", BlobOptions.defaults()).filled(payload.stream(0, bytes));
      BlobTable copied = bench.blobTable("copied", BlobOptions.defaults());
      writers.copy(copied, 32);
      bench.byteaTable("whole");
      writers.bytea("whole");
      long oid = writers.largeObject(256 << 10);
      bench.execute("VACUUM ANALYZE");
      bench.checkpoint();

      Readers readers = new Readers(bench);
      long expected = crc(payload, bytes);
      List<Contender> sizes = new ArrayList<>();
      for (int size : WriteQuestion.BUFFERS) {
        sizes.add(
            reading(
                "large object, buffer " + (size >> 10) + " KB",
                bytes,
                expected,
                () -> readers.largeObject(oid, size)));
      }
      int count = settings.number("rounds", 7);
      List<Result> bySize = new Rounds(Math.min(3, count), 1, bench.cpu()).run(sizes);
      report.table("large object by buffer size", "MB/s", bySize);
      int best = WriteQuestion.BUFFERS.get(WriteQuestion.fastest(bySize));

      List<Result> results =
          new Rounds(count, 2, bench.cpu())
              .run(
                  List.of(
                      reading(OWN, bytes, expected, () -> readers.own(blob)),
                      reading(CALLERS, bytes, expected, () -> readers.onConnection(blob)),
                      reading(LARGE_OBJECT, bytes, expected, () -> readers.largeObject(oid, best)),
                      reading(LO_STREAM, bytes, expected, () -> readers.largeObjectStream(oid)),
                      reading(COPY, bytes, expected, () -> readers.copy(copied)),
                      reading("bytea whole", bytes, expected, () -> readers.bytea("whole"))));
      report.table("values read, CRC32C computed and compared", "MB/s", results);
      report.atLeast(
          "read / large object at its best buffer",
          Question.ratio(results, OWN, LARGE_OBJECT),
          2.0);
      report.atLeast(
          "read / large object as a stream", Question.ratio(results, OWN, LO_STREAM), 2.0);
      report.atLeast("read / COPY out", Question.ratio(results, OWN, COPY), 0.85);
      report.atLeast(
          "read on a caller's connection / large object",
          Question.ratio(results, CALLERS, LARGE_OBJECT),
          2.0);
      report.atLeast(
          "read on a caller's connection / COPY out", Question.ratio(results, CALLERS, COPY), 0.85);
    }
  }

  private interface Reading {
    long crc() throws Exception;
  }

  private static Contender reading(String name, long bytes, long expected, Reading reading) {
    return Contender.throughput(
        name,
        bytes,
        Work.NONE,
        () -> {
          if (reading.crc() != expected) {
            throw new IllegalStateException(name + " read other bytes than were written");
          }
        });
  }

  private static long crc(Payload payload, long bytes) {
    CRC32C crc = new CRC32C();
    int part = 1 << 20;
    for (long at = 0; at < bytes; at += part) {
      crc.update(payload.bytes(at, (int) Math.min(part, bytes - at)));
    }
    return crc.getValue();
  }
}
