package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import java.util.Arrays;

/** Are blobs beyond what 32 bits count appended to, read and cut correctly? */
final class HugeQuestion implements Question {
  private static final int PART = 1 << 20;

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    long bytes = settings.megabytes("huge-mb", 6144) + 12_345;
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("huge: a blob of " + bytes + " bytes", bench.environment());
      Payload payload = Payload.random();
      BlobTable table = bench.blobTable("huge", BlobOptions.defaults());
      BlobColumn column = table.own();
      timed(report, "streamed in", () -> table.filled(payload.stream(0, bytes)));
      timed(
          report,
          "appended 100 bytes",
          () -> same(bytes + 100, column.append(1L, payload.bytes(bytes, 100)).end()));
      timed(
          report,
          "appended 1 MB",
          () ->
              same(bytes + 100 + PART, column.append(1L, payload.bytes(bytes + 100, PART)).end()));
      long end = bytes + 100 + PART;
      same(end, column.length(1L));
      timed(report, "read 1 MB at the end", () -> check(column, payload, end - PART, PART));
      timed(report, "read 4 KB before it", () -> check(column, payload, end - PART - 4000, 4096));
      long beyond32Bits = (1L << 32) - 5;
      if (end > beyond32Bits + 10) {
        check(column, payload, beyond32Bits, 10);
      }
      long cut = end - PART / 2 - 77;
      timed(report, "cut off half a megabyte", () -> column.truncate(1L, cut));
      same(cut, column.length(1L));
      same(4321, check(column, payload, cut - 4321, 100_000));
      long half = end / 2 + 1;
      timed(report, "cut off half", () -> column.truncate(1L, half));
      same(half, column.length(1L));
      timed(
          report,
          "appended behind the cut",
          () -> same(half + 5000, column.append(1L, payload.bytes(half, 5000)).end()));
      check(column, payload, half - 5000, 10_000);
      same(0, column.verify(1L).size());
      report.atLeast("all correct, verify found no damage", 1, 1);
    }
  }

  private static void timed(Report report, String what, Work work) throws Exception {
    long start = System.nanoTime();
    work.run();
    report.note(
        String.format(
            java.util.Locale.ROOT, "%s: %.1f ms", what, (System.nanoTime() - start) / 1e6));
  }

  private static int check(BlobColumn column, Payload payload, long offset, int count) {
    byte[] read = column.read(1L, offset, count);
    if (!Arrays.equals(read, payload.bytes(offset, read.length))) {
      throw new IllegalStateException("other bytes than were written at " + offset);
    }
    return read.length;
  }

  private static void same(long expected, long found) {
    if (expected != found) {
      throw new IllegalStateException("expected " + expected + ", found " + found);
    }
  }
}
