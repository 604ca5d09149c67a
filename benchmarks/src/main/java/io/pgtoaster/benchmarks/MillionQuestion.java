package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** What do very many small appends leave behind? */
final class MillionQuestion implements Question {
  private static final int SIZE = 100;
  private static final String STREAMED = "written as a stream";

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    int count = settings.number("million", 1_000_000);
    try (Workbench bench = Workbench.open(settings)) {
      report.heading(
          "million: " + count + " appends of " + SIZE + " bytes to one blob", bench.environment());
      long bytes = (long) count * SIZE;
      Payload payload = Payload.random();
      BlobTable streamed =
          bench.blobTable("streamed", BlobOptions.defaults()).filled(payload.stream(0, bytes));
      BlobTable appended = bench.blobTable("appended", BlobOptions.defaults());
      // Each append is a transaction, but none waits for the disk: only the time would differ.
      bench.execute("ALTER ROLE CURRENT_USER SET synchronous_commit = off");
      bench.pool().getHikariPoolMXBean().softEvictConnections();
      long start = System.nanoTime();
      append(appended.own(), payload, count);
      double seconds = (System.nanoTime() - start) / 1e9;
      bench.execute("ALTER ROLE CURRENT_USER RESET synchronous_commit");
      report.note(
          String.format(
              java.util.Locale.ROOT,
              "appended in %.0f s, %.0f appends/s (synchronous_commit = off)",
              seconds,
              count / seconds));
      Rounds rounds = new Rounds(settings.number("rounds", 7), 2, bench.cpu());
      compare(report, rounds, bytes, streamed, appended, "before compact", 0.5);
      note(report, "before compact", appended, bytes);
      long rewritten = appended.own().compact(1L);
      report.note("compact rewrote " + rewritten + " rows");
      appended.vacuum();
      compare(report, rounds, bytes, streamed, appended, "after compact", 0.95);
      note(report, "after compact and VACUUM", appended, bytes);
      report.atMost(
          "store / data after compact and VACUUM", (double) appended.diskBytes() / bytes, 1.5);
    }
  }

  private static void append(BlobColumn column, Payload payload, int count) {
    for (int i = 0; i < count; i++) {
      column.append(1L, payload.bytes((long) i * SIZE, SIZE));
    }
  }

  private static long checksum(BlobTable table) throws IOException {
    CheckedOutputStream out =
        new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32C());
    try (InputStream in = table.own().inputStream(1L)) {
      in.transferTo(out);
    }
    return out.getChecksum().getValue();
  }

  private static void note(Report report, String when, BlobTable table, long bytes)
      throws Exception {
    report.note(
        String.format(
            java.util.Locale.ROOT,
            "%s: store %.3f x the data; chunks %s, pieces %s, head %s bytes on disk",
            when,
            (double) table.diskBytes() / bytes,
            size(table, "chunk"),
            size(table, "piece"),
            size(table, "head")));
  }

  private static long size(BlobTable table, String part) throws Exception {
    return table.bench().number("SELECT pg_total_relation_size('" + table.part(part) + "')");
  }

  private static void compare(
      Report report,
      Rounds rounds,
      long bytes,
      BlobTable streamed,
      BlobTable appended,
      String when,
      double bar)
      throws Exception {
    String name = "appended, " + when;
    List<Result> results =
        rounds.run(
            List.of(
                Contender.throughput(STREAMED, bytes, () -> checksum(streamed)),
                Contender.throughput(name, bytes, () -> checksum(appended))));
    if (checksum(streamed) != checksum(appended)) {
      throw new IllegalStateException("the blobs differ");
    }
    report.table("reading from beginning to end, " + when, "MB/s", results);
    report.atLeast("read speed " + when, Question.ratio(results, name, STREAMED), bar);
  }
}
