package io.pgtoaster.jsonb.keyed.format;

import io.pgtoaster.error.DocumentCorruptException;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored node.
 *
 * @param id its number in the document
 * @param version increases with every change
 * @param kind {@code o}, {@code a}, {@code s} or {@code v}
 * @param bytes size of a leaf's value as uncompressed jsonb
 * @param text value of a leaf; null for an inner node
 * @param kids branches that a leaf's markers name; empty for an inner node
 * @param children children of an inner node; empty for a leaf
 */
public record Node(
    long id,
    long version,
    char kind,
    long bytes,
    @Nullable String text,
    Ids kids,
    List<Child> children) {

  /**
   * Reads columns 1 to 8: id, version, kind, bytes, kids, starts, lows, value.
   *
   * @throws DocumentCorruptException if pgtoaster does not write rows of this form
   */
  public static Node read(ResultSet r) throws SQLException {
    long id = r.getLong(1);
    String kind = r.getString(3);
    String text = r.getString(8);
    Long[] kids = values(id, r.getArray(5), new Long[0]);
    Ids named = kids.length == 0 || text == null ? Ids.NONE : new Ids();
    List<Child> children = new ArrayList<>();
    if (text == null) {
      Long[] starts = values(id, r.getArray(6), new Long[0]);
      byte[][] lows = values(id, r.getArray(7), new byte[0][]);
      boolean fits =
          kids.length > 0
              && (starts.length == 0 || starts.length == kids.length + 1)
              && (lows.length == 0 || lows.length == kids.length);
      if (!fits) {
        throw damaged(id);
      }
      for (int i = 0; i < kids.length; i++) {
        children.add(
            new Child(
                kids[i],
                starts.length == 0 ? 0 : starts[i + 1] - starts[i],
                lows.length == 0 ? LeafContent.NO_LOW : HexFormat.of().formatHex(lows[i])));
      }
    } else {
      for (long kid : kids) {
        named.add(kid);
      }
    }
    if (kind.isEmpty()) {
      throw damaged(id);
    }
    return new Node(id, r.getLong(2), kind.charAt(0), r.getLong(4), text, named, children);
  }

  /** Returns the elements of an array; throws an exception if one is NULL. */
  @SuppressWarnings("unchecked")
  private static <T> T[] values(long id, @Nullable Array array, T[] none) throws SQLException {
    if (array == null) {
      return none;
    }
    Object[] values = (Object[]) array.getArray();
    Class<?> element = none.getClass().getComponentType();
    if (!Arrays.stream(values).allMatch(element::isInstance)) {
      throw damaged(id);
    }
    return (T[]) values;
  }

  private static DocumentCorruptException damaged(long id) {
    return new DocumentCorruptException(
        "node " + id + " of the document is damaged: pgtoaster does not write such rows");
  }
}
