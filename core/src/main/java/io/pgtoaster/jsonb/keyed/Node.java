package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.error.DocumentCorruptException;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored node.
 *
 * @param id its number in the document
 * @param version grows with every change
 * @param kind {@code o}, {@code a}, {@code s} or {@code v}
 * @param bytes size of a leaf's value as uncompressed jsonb
 * @param text value of a leaf; null for an inner node
 * @param kids branches that a leaf's markers name; empty for an inner node
 * @param children of an inner node; empty for a leaf
 */
record Node(
    long id,
    long version,
    char kind,
    long bytes,
    @Nullable String text,
    Ids kids,
    List<Child> children) {

  boolean isLeaf() {
    return text != null;
  }

  /** Reads columns 1 to 8: id, version, kind, bytes, kids, starts, lows, value. */
  static Node read(ResultSet r) throws SQLException {
    String text = r.getString(8);
    Long[] kids = values(r.getArray(5), new Long[0]);
    Ids named = kids.length == 0 || text == null ? Ids.NONE : new Ids();
    List<Child> children = new ArrayList<>();
    if (text == null) {
      Long[] starts = values(r.getArray(6), new Long[0]);
      byte[][] lows = values(r.getArray(7), new byte[0][]);
      boolean fits =
          (starts.length == 0 || starts.length == kids.length + 1)
              && (lows.length == 0 || lows.length == kids.length);
      if (!fits) {
        throw new DocumentCorruptException("an inner node of the document is damaged");
      }
      for (int i = 0; i < kids.length; i++) {
        children.add(
            new Child(
                kids[i],
                starts.length == 0 ? 0 : starts[i + 1] - starts[i],
                lows.length == 0 ? Piece.NO_LOW : HexFormat.of().formatHex(lows[i])));
      }
    } else {
      for (long kid : kids) {
        named.add(kid);
      }
    }
    return new Node(
        r.getLong(1), r.getLong(2), r.getString(3).charAt(0), r.getLong(4), text, named, children);
  }

  @SuppressWarnings("unchecked")
  private static <T> T[] values(@Nullable Array array, T[] none) throws SQLException {
    return array == null ? none : (T[]) array.getArray();
  }
}
