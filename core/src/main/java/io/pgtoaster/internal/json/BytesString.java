package io.pgtoaster.internal.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Streams a known string as JSON text. Reading the stream escapes the string; code that needs only
 * the string avoids this. Not thread-safe.
 */
public final class BytesString extends InputStream {
  private final byte[] utf8;
  private final int from;
  private @Nullable InputStream text;

  /**
   * Opens a string.
   *
   * @param utf8 ends with the string; not copied
   * @param from start of the string
   */
  public BytesString(byte[] utf8, int from) {
    this.utf8 = utf8;
    this.from = from;
  }

  String value() {
    return new String(utf8, from, utf8.length - from, StandardCharsets.UTF_8);
  }

  private InputStream text() {
    if (text == null) {
      text = new ByteArrayInputStream(JsonbText.string(value()).getBytes(StandardCharsets.UTF_8));
    }
    return text;
  }

  @Override
  public int read() throws IOException {
    return text().read();
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return text().read(buffer, offset, length);
  }

  @Override
  public byte[] readAllBytes() throws IOException {
    return text().readAllBytes();
  }
}
