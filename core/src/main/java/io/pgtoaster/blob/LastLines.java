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

/** Reads the last lines of a blob: blocks from its end backwards, until they have enough lines. */
final class LastLines {
  /** Maximum number of bytes of all lines together. */
  static final int MAX_BYTES = 16 << 20;

  /** Most tails are a few lines. */
  private static final int FIRST_BLOCK = 16 << 10;

  private static final int MAX_BLOCK = 1 << 20;

  private final long end;
  private final int wanted;
  private final List<byte[]> blocks = new ArrayList<>();
  private long start;
  private int lines;

  private LastLines(long end, int wanted) {
    this.end = end;
    this.start = end;
    this.wanted = wanted;
  }

  /** Returns up to {@code wanted} lines, without their terminators. */
  static List<String> read(Connection connection, BlobVtable vtable, PinnedBlob blob, int wanted)
      throws SQLException {
    LastLines last = new LastLines(blob.length(), wanted);
    int most = FIRST_BLOCK;
    while (last.start > 0 && last.lines < wanted) {
      int count = (int) Math.min(most, last.start);
      last.add(ByteArrays.joined(vtable.read(connection, blob, last.start - count, count)));
      most = Math.min(2 * most, MAX_BLOCK);
    }
    return last.decoded();
  }

  /** Takes the block before the start, or the part of it that belongs to the lines. */
  private void add(byte[] block) {
    long first = start - block.length;
    int from = 0;
    for (int i = block.length - 1; i >= 0 && lines < wanted; i--) {
      // The terminator at the end of the blob ends the last line and begins no other.
      if (block[i] == '\n' && first + i + 1 < end) {
        lines++;
        from = lines == wanted ? i + 1 : 0;
      }
    }
    blocks.add(from == 0 ? block : Arrays.copyOfRange(block, from, block.length));
    start = first + from;
    if (end - start > MAX_BYTES) {
      throw new ContentTooLongException(
          "the last lines have more than %s bytes, the limit of a tail; read a range instead"
              .formatted(MAX_BYTES));
    }
  }

  private List<String> decoded() {
    if (blocks.isEmpty()) {
      return List.of();
    }
    Collections.reverse(blocks);
    String text;
    try {
      ByteBuffer bytes = ByteBuffer.wrap(ByteArrays.joined(blocks.toArray(byte[][]::new)));
      text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new UncheckedIOException("the lines from offset " + start + " on are not UTF-8", e);
    }
    String whole = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    return Arrays.stream(whole.split("\n", -1))
        .map(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
        .toList();
  }
}
