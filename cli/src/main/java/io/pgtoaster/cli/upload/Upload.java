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

/**
 * Copies a file or standard input into a committing stream.
 *
 * @param stop checked between pieces; true stops the copy
 * @param quiet whether to show no progress
 */
public record Upload(BooleanSupplier stop, boolean quiet) {
  /** Pause in the input after which received data is committed, so that followers see it. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final int BUFFER = 1 << 18;

  /**
   * Copies a file.
   *
   * @param file file to read
   * @param offset offset in the file to start at
   * @param out receives the bytes
   * @throws IOException if reading the file or writing to the stream fails
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
   * Copies standard input to its end. Received data is committed whenever the input pauses.
   *
   * @param out receives the bytes
   * @throws IOException if reading the input or writing to the stream fails
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
