package io.pgtoaster.it.kit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/** An input stream that fails at its end. */
public final class FailingInput {
  public static final String MESSAGE = "the disk is gone";

  private FailingInput() {}

  public static InputStream after(byte[] good) {
    return new SequenceInputStream(
        new ByteArrayInputStream(good),
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException(MESSAGE);
          }

          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            throw new IOException(MESSAGE);
          }
        });
  }
}
