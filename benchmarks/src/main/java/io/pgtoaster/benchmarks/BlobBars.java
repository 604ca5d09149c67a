package io.pgtoaster.benchmarks;

import static io.pgtoaster.benchmarks.Bars.require;
import static io.pgtoaster.benchmarks.Bars.tell;
import static io.pgtoaster.benchmarks.Bars.timed;

import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** One million small appends, and blobs longer than 4 GB. */
final class BlobBars {
  private static final int SMALL = 100;
  private static final int MB = 1 << 20;

  private BlobBars() {}

  /** Compares a blob written by small appends with one written as a stream. */
  static void million(Workplace workplace, int count) throws Exception {
    Payload payload = Payload.random();
    long bytes = (long) count * SMALL;
    BlobColumn streamed = column(workplace, workplace.table("bigint", "appendable", 0));
    streamed.append(0L, payload.stream(0, bytes));
    String table = workplace.table("bigint", "appendable", 0);
    BlobColumn appended = column(workplace, table);
    double before = workplace.diskBytes();
    double seconds =
        timed(
            count + " appends of " + SMALL + " bytes",
            () -> {
              for (long at = 0; at < bytes; at += SMALL) {
                appended.append(0L, payload.bytes(at, SMALL));
              }
            });
    tell("%,.0f appends a second", count / seconds);
    compare(streamed, appended);
    tell("store / data %.3f", (workplace.diskBytes() - before) / bytes);
    timed("compact", () -> appended.compact(0L));
    workplace.vacuum(table);
    compare(streamed, appended);
    tell("store / data %.3f", (workplace.diskBytes() - before) / bytes);
  }

  private static BlobColumn column(Workplace workplace, String table) {
    return workplace.toaster().blobs(ColumnName.of("bench", table, "data"));
  }

  private static void compare(BlobColumn streamed, BlobColumn appended) throws Exception {
    long[] sums = new long[2];
    timed("read the streamed blob", () -> sums[0] = checksum(streamed));
    timed("read the appended blob", () -> sums[1] = checksum(appended));
    require(sums[0] == sums[1], "the blobs differ");
  }

  private static long checksum(BlobColumn column) throws IOException {
    try (InputStream in = column.inputStream(0L)) {
      return Checksums.of(in);
    }
  }

  /** Writes, appends to, reads and truncates a blob of the given size. */
  static void huge(Workplace workplace, int megabytes) throws Exception {
    Payload payload = Payload.random();
    long bytes = (long) megabytes * MB + 12_345;
    BlobColumn column = column(workplace, workplace.table("bigint", "appendable", 0));
    timed("streamed in: " + bytes + " bytes", () -> column.append(0L, payload.stream(0, bytes)));
    timed("appended 100 bytes", () -> column.append(0L, payload.bytes(bytes, 100)));
    timed("appended 1 MB", () -> column.append(0L, payload.bytes(bytes + 100, MB)));
    long end = bytes + 100 + MB;
    require(column.length(0L) == end, "the length differs from what was written");
    timed("read 1 MB at the end", () -> check(column, payload, end - MB, MB));
    timed("read 4 KB before it", () -> check(column, payload, end - MB - 4000, 4096));
    long beyond = Math.min((1L << 32) - 5, end - 10);
    check(column, payload, beyond, 10);
    timed("truncate to half", () -> column.truncate(0L, end / 2 + 1));
    timed("append after that", () -> column.append(0L, payload.bytes(end / 2 + 1, 5000)));
    check(column, payload, end / 2 - 4999, 10_000);
    require(column.verify(0L).isEmpty(), "verify found damage");
  }

  private static void check(BlobColumn column, Payload payload, long offset, int count) {
    byte[] read = column.read(0L, offset, count);
    require(
        Arrays.equals(read, payload.bytes(offset, count)),
        "the bytes differ from those written at " + offset);
  }
}
