package io.pgtoaster.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;

/**
 * Buffered standard output. After its reader has closed the pipe, as in {@code | head}, it discards
 * all output.
 */
public final class StandardOutput extends FilterOutputStream {
  private static final int BUFFER = 1 << 16;

  private boolean gone;

  /** Opens standard output. */
  public StandardOutput() {
    super(new BufferedOutputStream(Terminal.standardOutput(), BUFFER));
  }

  /** A write operation. */
  @FunctionalInterface
  private interface Write {
    void run() throws IOException;
  }

  /**
   * Returns whether the reader has closed the pipe.
   *
   * @return true if further output is useless
   */
  public boolean readerHasClosed() {
    return gone;
  }

  private void attempt(Write write) throws IOException {
    if (gone) {
      return;
    }
    try {
      write.run();
    } catch (IOException e) {
      if (!Terminal.readerHasClosed(e)) {
        throw new IOException("cannot write to standard output: " + e.getMessage(), e);
      }
      gone = true;
    }
  }

  @Override
  public void write(int b) throws IOException {
    attempt(() -> out.write(b));
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    attempt(() -> out.write(bytes, from, count));
  }

  @Override
  public void flush() throws IOException {
    attempt(out::flush);
  }

  /** Flushes; standard output stays open. */
  @Override
  public void close() throws IOException {
    flush();
  }
}
