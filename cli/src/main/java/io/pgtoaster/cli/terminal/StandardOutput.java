package io.pgtoaster.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;

/** Standard output with a buffer. Once its reader has gone, as in {@code | head}, it takes all. */
public final class StandardOutput extends FilterOutputStream {
  private static final int BUFFER = 1 << 16;

  private boolean gone;

  /** Opens it. */
  public StandardOutput() {
    super(new BufferedOutputStream(Terminal.standardOutput(), BUFFER));
  }

  /** What writes. */
  @FunctionalInterface
  private interface Write {
    void run() throws IOException;
  }

  /**
   * Tells whether its reader has gone.
   *
   * @return true if there is no use in writing more
   */
  public boolean hasGone() {
    return gone;
  }

  private void attempt(Write write) throws IOException {
    if (gone) {
      return;
    }
    try {
      write.run();
    } catch (IOException e) {
      if (!Terminal.readerHasGone(e)) {
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

  /** Standard output stays open. */
  @Override
  public void close() throws IOException {
    flush();
  }
}
