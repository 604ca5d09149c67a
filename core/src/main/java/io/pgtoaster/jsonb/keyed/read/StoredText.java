package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.internal.SqlErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the JSON text of a value while its rows arrive: copies text up to a marker, then the
 * branch that the marker names, and so on. Keeps one row in memory for each level of nested
 * branches. Not thread-safe.
 */
final class StoredText extends InputStream {
  /**
   * The end of each key that belongs to pgtoaster or looks like its keys; it occurs nowhere else in
   * the text of a jsonb.
   */
  private static final byte[] NEEDLE = "pgtoaster\": ".getBytes(StandardCharsets.US_ASCII);

  /** The distance from a byte to the next possible end of the needle, if it does not end there. */
  private static final byte[] STEPS = steps();

  private static final byte[] SEPARATOR = {',', ' '};
  private static final int NONE = -1;

  /** The text being copied, or the children of an inner node, one after the other. */
  private static final class Frame {
    final byte[] text;
    int at;
    final int end;

    /** The index from which the text is not yet searched. */
    int searched;

    /** The start of the next marker, if it was found. */
    int marker = NONE;

    /** The number of remaining children; NONE for text. */
    long children = NONE;

    boolean separated;
    boolean first;

    Frame(byte[] text, int at, int end) {
      this.text = text;
      this.at = at;
      this.searched = at;
      this.end = end;
    }

    static Frame children(long count, boolean first, char kind) {
      Frame frame = new Frame(SEPARATOR, 0, 0);
      frame.children = count;
      frame.first = first;
      frame.separated = kind != 's';
      return frame;
    }
  }

  private final ValueRows rows;
  private final boolean split;
  private final Deque<Frame> frames = new ArrayDeque<>();
  private byte[] chunk = SEPARATOR;
  private int chunkAt;
  private int chunkEnd;
  private boolean closed;

  private StoredText(ValueRows rows) {
    this.rows = rows;
    this.split = rows.split;
  }

  /**
   * Opens the value whose first row is the current one.
   *
   * @return the text; null if there is nothing at the path
   */
  static @Nullable StoredText of(ValueRows rows) {
    StoredText text = new StoredText(rows);
    byte[] first = rows.text;
    if (rows.children != null) {
      text.push(rows);
    } else if (first == null) {
      return null;
    } else if (rows.overflow) {
      text.frames.push(new Frame(new byte[] {'}'}, 0, 1));
      text.frames.push(Frame.children(1, first.length == 2, 'o'));
      text.frames.push(new Frame(first, 0, first.length - 1));
    } else {
      text.frames.push(new Frame(first, 0, first.length));
    }
    return text;
  }

  /** Descends into the current row. */
  private void push(ValueRows row) {
    Long children = row.children;
    if (children == null) {
      byte[] text = row.stored();
      frames.push(new Frame(text, 0, text.length));
      return;
    }
    char kind = row.kind;
    String brackets = kind == 'a' ? "[]" : kind == 'o' ? "{}" : "\"\"";
    byte[] text = brackets.getBytes(StandardCharsets.US_ASCII);
    frames.push(new Frame(text, 1, 2));
    frames.push(Frame.children(children, true, kind));
    frames.push(new Frame(text, 0, 1));
  }

  /** Makes the next bytes available; returns false at the end. */
  private boolean fill() throws SQLException {
    while (chunkAt == chunkEnd) {
      Frame frame = frames.peek();
      if (frame == null) {
        return false;
      }
      if (frame.children == NONE) {
        copy(frame);
      } else if (frame.children == 0) {
        frames.pop();
      } else {
        child(frame);
      }
    }
    return true;
  }

  private void child(Frame group) throws SQLException {
    group.children--;
    rows.next();
    Long grandchildren = rows.children;
    if (grandchildren != null) {
      group.children += grandchildren;
      return;
    }
    byte[] text = rows.stored();
    if (text.length > 2) {
      frames.push(new Frame(text, 1, text.length - 1));
      if (group.separated && !group.first) {
        emit(SEPARATOR, 0, SEPARATOR.length);
      }
      group.first = false;
    }
  }

  private void emit(byte[] bytes, int from, int to) {
    chunk = bytes;
    chunkAt = from;
    chunkEnd = to;
  }

  private void copy(Frame frame) throws SQLException {
    if (frame.marker == frame.at) {
      branch(frame);
      return;
    }
    while (split) {
      int hit = find(frame.text, frame.searched, frame.end);
      if (hit < 0) {
        break;
      }
      frame.searched = hit + NEEDLE.length;
      int dollars = hit;
      while (dollars > 0 && frame.text[dollars - 1] == '$') {
        dollars--;
      }
      // A quote after a backslash is part of the key.
      if (dollars == hit
          || dollars < 2
          || frame.text[dollars - 1] != '"'
          || frame.text[dollars - 2] == '\\') {
        continue;
      }
      if (hit - dollars == 1) {
        frame.marker = dollars - 2;
        emit(frame.text, frame.at, frame.marker);
        frame.at = frame.marker;
      } else {
        // A user's key, which is stored with one more dollar sign.
        emit(frame.text, frame.at, dollars);
        frame.at = dollars + 1;
      }
      return;
    }
    frames.pop();
    emit(frame.text, frame.at, frame.end);
  }

  /** Reads the marker at the current position of the text, and descends into its branch. */
  private void branch(Frame frame) throws SQLException {
    long named = 0;
    int at = frame.searched;
    while (at < frame.end && frame.text[at] >= '0' && frame.text[at] <= '9') {
      named = named * 10 + frame.text[at++] - '0';
    }
    if (at == frame.searched || at == frame.end || frame.text[at] != '}') {
      throw new DocumentCorruptException("a marker in the document does not name a branch");
    }
    frame.at = at + 1;
    frame.searched = at + 1;
    rows.next(named);
    push(rows);
  }

  /** Finds the needle: skips up to twelve bytes at a time, as far as the current byte allows. */
  private static int find(byte[] text, int from, int end) {
    int length = NEEDLE.length;
    int at = from + length - 1;
    while (at < end) {
      if (Arrays.equals(text, at - length + 1, at + 1, NEEDLE, 0, length)) {
        return at - length + 1;
      }
      at += STEPS[text[at] & 0xFF];
    }
    return -1;
  }

  private static byte[] steps() {
    byte[] steps = new byte[256];
    Arrays.fill(steps, (byte) NEEDLE.length);
    for (int i = 0; i < NEEDLE.length - 1; i++) {
      steps[NEEDLE[i]] = (byte) (NEEDLE.length - 1 - i);
    }
    return steps;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    if (length == 0) {
      return 0;
    }
    if (!more()) {
      return -1;
    }
    int count = Math.min(length, chunkEnd - chunkAt);
    System.arraycopy(chunk, chunkAt, buffer, offset, count);
    chunkAt += count;
    return count;
  }

  /** Makes the next bytes available; returns false at the end. */
  private boolean more() throws IOException {
    if (closed) {
      throw new IOException("the document's stream is closed");
    }
    try {
      return fill();
    } catch (SQLException e) {
      throw new IOException("reading the document failed", SqlErrors.translate(e));
    }
  }

  @Override
  public byte[] readAllBytes() throws IOException {
    List<ByteBuffer> parts = new ArrayList<>();
    long length = 0;
    while (more()) {
      parts.add(ByteBuffer.wrap(chunk, chunkAt, chunkEnd - chunkAt));
      length += chunkEnd - chunkAt;
      chunkAt = chunkEnd;
    }
    if (length > Integer.MAX_VALUE - 8) {
      throw new OutOfMemoryError("a document of " + length + " bytes does not fit into an array");
    }
    ByteBuffer all = ByteBuffer.allocate((int) length);
    parts.forEach(all::put);
    return all.array();
  }

  @Override
  public long transferTo(OutputStream out) throws IOException {
    long length = 0;
    while (more()) {
      out.write(chunk, chunkAt, chunkEnd - chunkAt);
      length += chunkEnd - chunkAt;
      chunkAt = chunkEnd;
    }
    return length;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        rows.close();
      } catch (SQLException e) {
        throw new IOException("closing the document's stream failed", SqlErrors.translate(e));
      }
    }
  }
}
