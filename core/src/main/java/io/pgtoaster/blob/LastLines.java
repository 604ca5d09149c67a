package io.pgtoaster.blob;

import io.pgtoaster.error.ContentTooLongException;
import io.pgtoaster.internal.ByteArrays;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.PinnedBlob;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** Finds the last lines of a blob by reading blocks backwards from its end. */
final class LastLines {
  /** Maximum total number of bytes of all lines. */
  static final int MAX_BYTES = 16 << 20;

  /** Size of the first block that is read. Most callers want only a few lines. */
  private static final int FIRST_BLOCK = 16 << 10;

  private static final int MAX_BLOCK = 1 << 20;

  private LastLines() {}

  /** Reads a block of the content. */
  interface Blocks<E extends Exception> {
    byte[] read(long offset, int count) throws E;
  }

  /**
   * Returns the offset of the first of the last lines.
   *
   * @param begin of the content
   * @param end of the content
   * @param wanted number of lines
   * @param take accepts the blocks, from the last to the first, without the bytes before the lines
   */
  static <E extends Exception> long start(
      long begin, long end, long wanted, Blocks<E> blocks, Consumer<byte[]> take) throws E {
    long start = end;
    long lines = 0;
    int most = FIRST_BLOCK;
    while (start > begin && lines < wanted) {
      int count = (int) Math.min(most, start - begin);
      long first = start - count;
      byte[] block = blocks.read(first, count);
      int from = 0;
      for (int i = count - 1; i >= 0 && lines < wanted; i--) {
        // The terminator at the end of the blob ends the last line and does not begin another one.
        if (block[i] == '\n' && first + i + 1 < end) {
          lines++;
          from = lines == wanted ? i + 1 : 0;
        }
      }
      take.accept(from == 0 ? block : Arrays.copyOfRange(block, from, count));
      start = first + from;
      most = Math.min(2 * most, MAX_BLOCK);
    }
    return start;
  }

  /** Returns up to {@code wanted} lines, without their terminators. */
  static List<String> read(Connection connection, BlobVtable vtable, PinnedBlob blob, int wanted)
      throws SQLException {
    List<byte[]> kept = new ArrayList<>();
    long[] bytes = new long[1];
    long start =
        start(
            blob.first(),
            blob.length(),
            wanted,
            (offset, count) -> ByteArrays.joined(vtable.read(connection, blob, offset, count)),
            block -> {
              kept.add(block);
              bytes[0] += block.length;
              if (bytes[0] > MAX_BYTES) {
                throw new ContentTooLongException(
                    "the last lines have more than %s bytes, the limit of a tail; read a range instead"
                        .formatted(MAX_BYTES));
              }
            });
    Collections.reverse(kept);
    byte[] text = ByteArrays.joined(kept.toArray(byte[][]::new));
    // A discard may have cut a character.
    int cut = start > 0 && start == blob.first() ? Utf8.continued(text) : 0;
    return decoded(Arrays.copyOfRange(text, cut, text.length), start);
  }

  private static List<String> decoded(byte[] bytes, long start) {
    if (bytes.length == 0) {
      return List.of();
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UncheckedIOException("the lines from offset " + start + " on are not UTF-8", e);
    }
    String whole = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    return Arrays.stream(whole.split("\n", -1))
        .map(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
        .toList();
  }
}
