package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.internal.json.BytesString;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The rows of a value, which the store's routine returns as one text: one line per row, in document
 * order. A line has the kind and number of the row, then a colon and the JSON text of a value, or a
 * slash and the number of children of an inner node. The text of jsonb contains no line feed. The
 * first row has the number 0, and the kind {@code +} if the overflow branch follows. Not
 * thread-safe.
 */
final class PackedRows extends ValueRows {
  private final byte[] lines;

  /** The end of the current line: the index of a line feed or of the end of the text. */
  private int end;

  private PackedRows(byte[] lines) {
    this.lines = lines;
    split = true;
  }

  /** Opens the JSON text of an answer. The answer is JSON text, rows, or a tab and a string. */
  static InputStream text(byte[] answer) {
    if (answer[0] == '\t') {
      return new BytesString(answer, 1);
    }
    if (answer[0] == '\n') {
      PackedRows rows = new PackedRows(answer);
      rows.next();
      InputStream text = StoredText.of(rows);
      if (text != null) {
        return text;
      }
    }
    return new ByteArrayInputStream(answer);
  }

  /** Returns true if an answer is plain JSON text. */
  static boolean isPlain(byte[] answer) {
    return answer.length > 0 && answer[0] != '\t' && answer[0] != '\n';
  }

  @Override
  void next() {
    long unused = advance();
  }

  @Override
  void next(long branch) {
    if (advance() != branch) {
      throw new DocumentCorruptException("branch " + branch + " of the document is missing");
    }
  }

  /** Moves to the next row; returns its number. */
  private long advance() {
    int at = end + 1;
    if (at >= lines.length) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    kind = (char) lines[at++];
    overflow = kind == '+';
    int behind = at;
    while (lines[behind] != ':' && lines[behind] != '/') {
      behind++;
    }
    end = behind;
    while (end < lines.length && lines[end] != '\n') {
      end++;
    }
    boolean isValue = lines[behind] == ':';
    text = isValue ? Arrays.copyOfRange(lines, behind + 1, end) : null;
    children = isValue ? null : (Long) number(behind + 1, end);
    return number(at, behind);
  }

  private long number(int from, int to) {
    return Long.parseLong(new String(lines, from, to - from, StandardCharsets.US_ASCII));
  }
}
