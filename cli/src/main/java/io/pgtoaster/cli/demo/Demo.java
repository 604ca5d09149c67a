package io.pgtoaster.cli.demo;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.terminal.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The demonstration. Each part prints its results.
 *
 * @param database where to work
 * @param out receives the results
 * @param progress receives a line for each step
 */
public record Demo(Database database, PrintWriter out, Consumer<String> progress) {
  /** Sizes of the values that one byte is appended to. */
  private static final List<Long> SIZES =
      List.of(1_000_000L, 10_000_000L, 100_000_000L, 1_000_000_000L);

  private static final int ROUNDS = 3;

  /** Space for the write-ahead log that may accumulate, and a margin. */
  private static final long RESERVE = 3_000_000_000L;

  private static final String NOTES =
      """

      * MB is 1,000,000 bytes; medians of 3 rounds in turns, each after a checkpoint; reads are second reads.
      * pgtoaster commits every 4 MiB, so that followers see it grow; the large object is written in one transaction.
      * bytea || gets only the first 16 MiB, in pieces of 1 MiB, and does not append to values of more than 100 MB: each
        append rewrites the whole value.
      * One byte, documents and searches: medians of 3 to 20 turns, each a transaction, after one that is not counted.
      * Searches use an index of all words on each side, which a change updates. The best string of each document is the
        snippet; the plain query finds it in the whole document.
      * For more contenders, and for your machine: docs/benchmarks.md and benchmarks/run.
      """;

  static String label(long size) {
    return size >= 1_000_000_000
        ? size / 1_000_000_000 + "GB"
        : size >= 1_000_000 ? size / 1_000_000 + "MB" : size / 1_000 + "kB";
  }

  /**
   * Runs the demonstration and removes everything that it created.
   *
   * @param file file to append
   * @param maxSize maximum size of the values that one byte is appended to, and of documents
   * @return true if the content that was read back equals the file
   * @throws SQLException if the database reports an error
   * @throws IOException if the file cannot be read, or differs when read back
   */
  public boolean run(Path file, long maxSize) throws SQLException, IOException {
    long left = remainingSpace(Files.size(file));
    List<Long> sizes = SIZES.stream().filter(s -> s <= maxSize && s < left / 6).toList();
    try (Workspace workspace = new Workspace(database);
        LargeObjectContender largeObject = new LargeObjectContender(workspace)) {
      PgToasterContender own = new PgToasterContender(workspace);
      List<Contender> all = List.of(own, largeObject, new ByteaContender(workspace));
      progress.accept("append, follow and read back " + file);
      StreamJob stream = new StreamJob(own);
      out.println(stream.run(file));
      out.print(transfers(workspace, all, file));
      appends(workspace, all, sizes);
      new DocumentDemo(workspace, maxSize).run(out, progress);
      if (SearchDemo.SIZE <= maxSize) {
        new SearchDemo(workspace).run(out, progress);
      }
      out.print(NOTES);
      environment(workspace);
      return stream.isEqual();
    }
  }

  /**
   * Returns the disk space that the embedded server will have left after the transfers. Throws an
   * exception if there is not enough for them. For other servers, the space is unknown and counts
   * as unlimited.
   */
  private long remainingSpace(long bytes) throws IOException {
    Path directory = database.directory();
    if (directory == null) {
      return Long.MAX_VALUE;
    }
    long needed = Math.addExact(RESERVE, bytes * 3 * ROUNDS);
    long usable = Files.getFileStore(directory).getUsableSpace();
    if (needed > usable) {
      throw new Failure(
          ExitCode.FAILED,
          "the demo needs "
              + ByteSize.format(needed)
              + " of disk space; available: "
              + ByteSize.format(usable)
              + "\ngive a smaller FILE");
    }
    return usable - needed;
  }

  /** Transfers the same file into and out of each contender. */
  private String transfers(Workspace workspace, List<Contender> contenders, Path file)
      throws SQLException, IOException {
    Figures figures = new Figures("MB/s", 0);
    for (int round = 1; round <= ROUNDS; round++) {
      progress.accept("the same work side by side, round " + round + " of " + ROUNDS);
      for (Contender contender : contenders) {
        workspace.checkpoint();
        transfer(contender, file, figures);
      }
    }
    return figures.table().toString();
  }

  private static void transfer(Contender contender, Path file, Figures figures)
      throws SQLException, IOException {
    long bytes = Math.min(contender.writeLimit(), Files.size(file));
    CRC32C expected = new CRC32C();
    long began = System.nanoTime();
    try (InputStream in = Files.newInputStream(file)) {
      InputStream some =
          bytes < Files.size(file) ? new ByteArrayInputStream(in.readNBytes((int) bytes)) : in;
      contender.write("transfer", new CheckedInputStream(some, expected));
    }
    figures.add(contender.title(), "append", rate(bytes, System.nanoTime() - began));
    // Measure the second read, because the first reader of a row marks it as committed, which is a
    // write.
    check(contender, expected);
    long readBegan = System.nanoTime();
    check(contender, expected);
    figures.add(contender.title(), "read", rate(bytes, System.nanoTime() - readBegan));
    contender.remove("transfer");
  }

  private static double rate(long bytes, long nanos) {
    return bytes * 1e3 / Math.max(1, nanos);
  }

  private static void check(Contender contender, CRC32C expected) throws SQLException, IOException {
    CRC32C found = new CRC32C();
    try (OutputStream sink = new CheckedOutputStream(OutputStream.nullOutputStream(), found)) {
      contender.read("transfer", sink);
    }
    if (expected.getValue() != found.getValue()) {
      throw new IOException(contender.title() + " returned bytes other than those stored");
    }
  }

  /** Appends one byte to values of several sizes. */
  private void appends(Workspace workspace, List<Contender> contenders, List<Long> sizes)
      throws SQLException, IOException {
    RoundRobin turns = new RoundRobin(workspace);
    for (long size : sizes) {
      progress.accept("one byte appended to values of " + label(size));
      Map<String, RoundRobin.Turn> ways = new LinkedHashMap<>();
      List<Contender> able = contenders.stream().filter(c -> size <= c.appendLimit()).toList();
      for (Contender contender : able) {
        contender.fill(label(size), (int) (size / Contender.NOISE.length));
        ways.put(contender.title(), turn -> contender.appendByte(label(size)));
      }
      workspace.vacuum();
      workspace.checkpoint();
      turns.take(label(size), ways);
      for (Contender contender : able) {
        contender.remove(label(size));
      }
    }
    if (!sizes.isEmpty()) {
      out.print("\none byte appended to a value of\n" + turns.millis() + "\n" + turns.walBytes());
    }
  }

  private void environment(Workspace workspace) throws SQLException {
    StringBuilder text = new StringBuilder("PostgreSQL ");
    text.append(workspace.setting("server_version"));
    text.append(", ").append(System.getProperty("java.vm.name")).append(' ');
    text.append(Runtime.version()).append(", ");
    text.append(Runtime.getRuntime().availableProcessors()).append(" CPUs");
    for (String name : List.of("fsync", "synchronous_commit", "wal_level", "shared_buffers")) {
      text.append(", ").append(name).append(' ').append(workspace.setting(name));
    }
    out.println(text);
  }
}
