package io.pgtoaster.blob.stock;

import io.pgtoaster.error.UnsupportedCapabilityException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a {@code text} column can store the given bytes: complete UTF-8 characters without
 * U+0000. The client checks, because a failed statement would abort the caller's transaction.
 */
final class Utf8Check {
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private final CharBuffer scratch = CharBuffer.allocate(8192);
  private byte[] carried = new byte[0];

  static void check(byte[] array, int from, int count) {
    Utf8Check check = new Utf8Check();
    check.add(array, from, count);
    check.end();
  }

  /** Returns true if a byte is inside a character and not its first byte. */
  static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }

  void add(byte[] array, int from, int count) {
    for (int i = from; i < from + count; i++) {
      if (array[i] == 0) {
        throw refused("a zero byte", null);
      }
    }
    ByteBuffer in = ByteBuffer.wrap(array, from, count);
    if (carried.length > 0) {
      ByteBuffer joined = ByteBuffer.allocate(carried.length + count);
      joined.put(carried).put(in).flip();
      in = joined;
    }
    decode(in, false);
    carried = new byte[in.remaining()];
    in.get(carried);
  }

  void end() {
    decode(ByteBuffer.wrap(carried), true);
  }

  private void decode(ByteBuffer in, boolean last) {
    CoderResult result;
    do {
      scratch.clear();
      result = decoder.decode(in, scratch, last);
      if (result.isError()) {
        try {
          result.throwException();
        } catch (CharacterCodingException e) {
          throw refused("bytes that are not whole characters of UTF-8", e);
        }
      }
    } while (result.isOverflow());
  }

  static UnsupportedCapabilityException refused(String what, @Nullable Exception cause) {
    return new UnsupportedCapabilityException(
        "a text column of the default toaster cannot store "
            + what
            + "; keep characters whole in each call, or use a bytea column",
        new SQLException("invalid UTF-8", "22021", cause));
  }
}
