package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** The same file into and out of each contender, in turns. */
final class Transfers {
  static final String APPEND = "append";
  static final String READ = "read";
  private static final String VALUE = "transfer";

  private final Workspace workspace;
  private final List<Contender> contenders;
  private final Samples samples = new Samples();

  Transfers(Workspace workspace, List<Contender> contenders) {
    this.workspace = workspace;
    this.contenders = contenders;
  }

  Samples run(Path file, int rounds, Consumer<String> progress) throws SQLException, IOException {
    for (int round = 1; round <= rounds; round++) {
      progress.accept("the same work side by side, round " + round + " of " + rounds);
      for (Contender contender : contenders) {
        turn(contender, file);
      }
    }
    return samples;
  }

  private void turn(Contender contender, Path file) throws SQLException, IOException {
    long bytes = Math.min(contender.writeLimit(), Files.size(file));
    CRC32C expected = new CRC32C();
    workspace.checkpoint();
    long began = System.nanoTime();
    try (InputStream in = new CheckedInput(Files.newInputStream(file), bytes, expected)) {
      contender.write(VALUE, in);
    }
    long written = System.nanoTime();
    // Whoever reads a row first marks it as committed, which is a write; the second read is
    // measured.
    check(contender, expected);
    long readBegan = System.nanoTime();
    check(contender, expected);
    long read = System.nanoTime();
    contender.remove(VALUE);
    samples.add(contender.name(), APPEND, rate(bytes, written - began));
    samples.add(contender.name(), READ, rate(bytes, read - readBegan));
  }

  private static void check(Contender contender, CRC32C expected) throws SQLException, IOException {
    CRC32C found = new CRC32C();
    contender.read(VALUE, found::update);
    if (expected.getValue() != found.getValue()) {
      throw new IOException(contender.title() + " gave back other bytes than it was given");
    }
  }

  private static double rate(long bytes, long nanos) {
    return bytes * 1e3 / Math.max(1, nanos);
  }
}
