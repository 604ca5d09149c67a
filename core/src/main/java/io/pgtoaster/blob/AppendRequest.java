package io.pgtoaster.blob;

import io.pgtoaster.error.OffsetConflictException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The data of an append: bytes in memory, optionally followed by a stream.
 *
 * @param array contains the bytes
 * @param from index of the first byte
 * @param count number of bytes in the array
 * @param rest stream that follows the bytes, or null; a request with a stream cannot be run twice
 * @param options expected offset and token
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying the payload would be expensive
public record AppendRequest(
    byte[] array, int from, int count, @Nullable InputStream rest, AppendOptions options) {

  /**
   * Throws an exception if the append expects another length of the blob.
   *
   * @param actual length of the blob, in bytes; 0 if the column is NULL
   * @throws OffsetConflictException if the options have another expected offset
   */
  public void requireLength(long actual) {
    Long expected = options.expectedOffset();
    if (expected != null && expected != actual) {
      throw new OffsetConflictException(expected, actual);
    }
  }

  /**
   * Returns the bytes in memory.
   *
   * @return an array with exactly these bytes; it may be the request's own array, so do not change
   *     it
   */
  public byte[] bytes() {
    return from == 0 && count == array.length
        ? array
        : Arrays.copyOfRange(array, from, from + count);
  }

  /**
   * Reads from the stream that follows the bytes.
   *
   * @param buffer to fill
   * @param offset index of the first byte to fill
   * @param length number of bytes wanted
   * @return number of bytes read; fewer than wanted only at the end of the stream
   * @throws UncheckedIOException if the stream fails; the append must not be committed then
   */
  public int readRest(byte[] buffer, int offset, int length) {
    if (rest == null) {
      return 0;
    }
    try {
      return rest.readNBytes(buffer, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException("the input failed; nothing was changed", e);
    }
  }
}
