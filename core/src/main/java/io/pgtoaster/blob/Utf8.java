package io.pgtoaster.blob;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Encodes text, and handles characters that are cut at the start or the end of a piece of UTF-8.
 */
final class Utf8 {
  private Utf8() {}

  /** Returns the number of bytes, 0 to 3, of an incomplete character at the end. */
  static int incomplete(byte[] array, int count) {
    for (int back = 1; back <= Math.min(3, count); back++) {
      int b = array[count - back] & 0xFF;
      if (b < 0x80) {
        return 0;
      }
      if (b >= 0xC0) {
        int size = b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
        return back < size ? back : 0;
      }
    }
    return 0;
  }

  /** Returns the number of bytes, 0 to 3, that continue a character before the array. */
  static int continued(byte[] array) {
    int count = 0;
    while (count < Math.min(3, array.length) && (array[count] & 0xC0) == 0x80) {
      count++;
    }
    return count;
  }

  /** Encodes text; throws an exception for an unpaired surrogate. */
  static ByteBuffer encode(CharSequence text) {
    CharBuffer chars = CharBuffer.wrap(text);
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(chars);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "the text contains an unpaired surrogate at index %s; nothing was appended"
              .formatted(chars.position()),
          e);
    }
  }

  /** Decodes a stream strictly, and skips the rest of a character at its start. */
  static Reader reader(InputStream content) {
    PushbackInputStream in = new PushbackInputStream(content);
    try {
      int first = in.read();
      for (int skipped = 0; (first & 0xC0) == 0x80 && skipped < 3; skipped++) {
        first = in.read();
      }
      if (first >= 0) {
        in.unread(first);
      }
    } catch (IOException e) {
      try (in) {
        throw new UncheckedIOException(e);
      } catch (IOException onClose) {
        e.addSuppressed(onClose);
        throw new UncheckedIOException(e);
      }
    }
    return new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder());
  }
}
