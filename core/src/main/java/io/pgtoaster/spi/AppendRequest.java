package io.pgtoaster.spi;

import io.pgtoaster.column.AppendToken;
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
 * @param expectedOffset length that the blob must have, in bytes; null for any length
 * @param token identifies the append, for safe retries; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying the payload would be expensive
public record AppendRequest(
    byte[] array,
    int from,
    int count,
    @Nullable InputStream rest,
    @Nullable Long expectedOffset,
    @Nullable AppendToken token) {

  /**
   * Throws an exception if the append expects the blob to have a different length.
   *
   * @param actual length of the blob, in bytes; 0 if the column is NULL
   * @throws OffsetConflictException if the append expects a different length
   */
  public void requireLength(long actual) {
    if (expectedOffset != null && expectedOffset != actual) {
      throw new OffsetConflictException(expectedOffset, actual);
    }
  }

  /**
   * Returns exactly the bytes in memory. The array may be the request's own, so do not change it.
   */
  public byte[] bytes() {
    return from == 0 && count == array.length
        ? array
        : Arrays.copyOfRange(array, from, from + count);
  }

  /**
   * Reads from the stream that follows the bytes.
   *
   * @param offset index of the first byte to fill
   * @return number of bytes read; fewer than wanted only at the end of the stream
   * @throws UncheckedIOException if the stream fails; the append must not be committed
   */
  public int readRest(byte[] buffer, int offset, int length) {
    if (rest == null) {
      return 0;
    }
    try {
      return rest.readNBytes(buffer, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException("the input stream failed; nothing was changed", e);
    }
  }
}
