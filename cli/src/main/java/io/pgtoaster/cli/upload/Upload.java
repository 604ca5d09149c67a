package io.pgtoaster.cli.upload;

import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.cli.terminal.Progress;
import io.pgtoaster.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Copies a file or standard input into a committing stream. */
public final class Upload {
  /** Input that pauses for so long is committed, so that followers see it. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final int BUFFER = 1 << 18;

  private final BooleanSupplier stop;
  private final boolean quiet;

  /**
   * Prepares a copy.
   *
   * @param stop asked between pieces whether to stop
   * @param quiet whether to show no progress
   */
  public Upload(BooleanSupplier stop, boolean quiet) {
    this.stop = stop;
    this.quiet = quiet;
  }

  /**
   * Copies a file.
   *
   * @param file to read
   * @param offset where in the file to begin
   * @param out takes the bytes
   * @throws IOException if the file cannot be read or the stream does not take them
   */
  public void file(Path file, long offset, BlobAppendStream out) throws IOException {
    long total = Files.isRegularFile(file) ? Files.size(file) - offset : -1;
    try (InputStream in = Files.newInputStream(file);
        Progress progress = Progress.start("append", total, quiet)) {
      in.skipNBytes(offset);
      byte[] buffer = new byte[BUFFER];
      for (int n = in.read(buffer); n >= 0 && !stop.getAsBoolean(); n = in.read(buffer)) {
        out.write(buffer, 0, n);
        progress.add(n);
      }
    }
  }

  /**
   * Copies standard input to its end; what has come is committed whenever the input pauses.
   *
   * @param out takes the bytes
   * @throws IOException if the input cannot be read or the stream does not take it
   */
  public void standardInput(BlobAppendStream out) throws IOException {
    try (Progress progress = Progress.start("append", -1, quiet || Terminal.isTerminal(0))) {
      PipeInput input = new PipeInput(Terminal.standardInput());
      while (!stop.getAsBoolean()) {
        byte[] piece = input.next(PAUSE);
        if (piece == null) {
          if (out.pending() > 0) {
            out.flush();
          }
        } else if (piece.length == 0) {
          return;
        } else {
          out.write(piece);
          progress.add(piece.length);
        }
      }
    }
  }
}
