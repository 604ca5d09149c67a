package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.data.PartsStream;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Random;

/** Is a document far larger than this JVM's memory stored, read, streamed and changed by path? */
final class DocumentHugeQuestion implements Question {
  private static final String HEAD = "{\"id\": \"huge\", \"parts\": [";
  private static final String TAIL = "], \"height\": \"180 cm\"}";

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    long bytes = settings.megabytes("huge-doc-mb", 1024);
    long most = Runtime.getRuntime().maxMemory() >> 20;
    try (Workbench bench = Workbench.open(settings)) {
      report.heading(
          "doc-huge: " + (bytes >> 20) + " MB of JSON with a heap of " + most + " MB",
          bench.environment());
      DocumentTable table = DocumentTable.create(bench, "huge");
      table.row(1);
      DocumentColumn column = table.own();
      long count = count(bytes);
      MessageDigest in = sha256();
      timed(report, "put", () -> column.put(1L, new DigestInputStream(document(count), in)));
      MessageDigest out = sha256();
      try (OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), out)) {
        timed(report, "streamed", () -> column.load(1L, sink));
      }
      require(MessageDigest.isEqual(in.digest(), out.digest()), "other bytes came out");
      long last = count - 1;
      String middle = "parts[" + count / 2 + "].title";
      timed(report, "read a short key", () -> column.get(1L, "height"));
      timed(report, "size of the array", () -> column.size(1L, "parts"));
      timed(report, "read in the middle", () -> column.get(1L, middle));
      timed(report, "set in the middle", () -> column.set(1L, middle, "changed"));
      timed(report, "insert at the front", () -> column.insert(1L, "parts[0]", "first"));
      timed(report, "append", () -> column.append(1L, "parts", "last"));
      timed(report, "slice of 100", () -> column.slice(1L, "parts", count / 2, count / 2 + 100));
      require(column.size(1L, "parts").orElse(0) == count + 2, "parts are missing");
      require("first".equals(string(column, "parts[0]")), "nothing was inserted");
      require("last".equals(string(column, "parts[-1]")), "nothing was appended");
      String moved = "parts[" + (count / 2 + 1) + "].title";
      require("changed".equals(string(column, moved)), "nothing was set");
      timed(report, "remove at the front", () -> column.remove(1L, "parts[0]"));
      timed(report, "set at the end", () -> column.set(1L, "parts[" + last + "].year", 1));
      timed(
          report,
          "put again as it was",
          () -> report.note(column.put(1L, document(count)).toString()));
      report.note("database: " + table.diskBytes() / 1_048_576 + " MB");
      report.atLeast("all correct", 1, 1);
    }
  }

  private static InputStream document(long count) {
    return new PartsStream(HEAD, count, i -> DocumentSet.role(new Random(i)), TAIL);
  }

  private static long count(long bytes) {
    long some = 0;
    for (int i = 0; i < 1000; i++) {
      some += DocumentSet.role(new Random(i)).length() + 2;
    }
    return Math.max(bytes * 1000 / some, 10);
  }

  private static String string(DocumentColumn column, String path) {
    return column.get(1L, path).orElseThrow().asString();
  }

  private static void timed(Report report, String what, Work work) throws Exception {
    long start = System.nanoTime();
    work.run();
    report.note(String.format(Locale.ROOT, "%s: %.1f ms", what, (System.nanoTime() - start) / 1e6));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static MessageDigest sha256() throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256");
  }
}
