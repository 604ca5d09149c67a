package io.pgtoaster.cli.io;

import io.pgtoaster.cli.terminal.Progress;
import io.pgtoaster.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Destinations for content: standard output, or a file that appears once it is complete. */
public final class ContentOutput {
  private static final int BUFFER = 1 << 18;

  private ContentOutput() {}

  /**
   * Copies to standard output, each piece as it arrives.
   *
   * @return false if the reader has closed the pipe
   */
  public static boolean toStandardOutput(InputStream in) throws IOException {
    OutputStream out = Terminal.standardOutput();
    byte[] buffer = new byte[BUFFER];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      try {
        out.write(buffer, 0, n);
      } catch (IOException e) {
        if (Terminal.readerHasClosed(e)) {
          return false;
        }
        throw new IOException("cannot write to standard output: " + e.getMessage(), e);
      }
    }
    return true;
  }

  /** Copies to a file. A device or a pipe is written to directly. */
  public static void toFile(InputStream in, Path file, long length, boolean quiet)
      throws IOException {
    try (Progress progress = Progress.start("read", length, quiet)) {
      InputStream counted = progress.counting(in);
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        try (OutputStream out = Files.newOutputStream(file)) {
          transfer(counted, out);
        }
        return;
      }
      Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path part = target.resolveSibling(".pgtoaster-" + UUID.randomUUID() + ".part");
      try {
        // Never open an existing file, such as another user's link to one of this user's files.
        try (OutputStream out =
            Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          transfer(counted, out);
        }
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    }
  }

  private static void transfer(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      out.write(buffer, 0, n);
    }
  }
}
