package io.pgtoaster.jsonb.keyed.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node holds, as its columns are written. */
public record NodeText(
    String kind,
    int bytes,
    @Nullable String value,
    @Nullable String kids,
    @Nullable String starts,
    @Nullable String lows) {
  public static NodeText leaf(Piece piece) {
    return new NodeText(
        String.valueOf(piece.kind()),
        (int) Math.min(piece.bytes(), Integer.MAX_VALUE),
        piece.text(),
        piece.kids().isEmpty() ? null : piece.kids().literal(),
        null,
        null);
  }

  public static NodeText inner(char kind, List<Child> children) {
    Ids kids = new Ids();
    Ids starts = new Ids();
    StringBuilder lows = new StringBuilder("{");
    long start = 0;
    for (int i = 0; i < children.size(); i++) {
      Child child = children.get(i);
      kids.add(child.id());
      starts.add(start);
      start += child.count();
      // The first child takes all keys before the second.
      String low = i == 0 ? "" : child.low();
      lows.append(i == 0 ? "" : ",").append("\"\\\\x").append(low).append('"');
    }
    starts.add(start);
    return new NodeText(
        String.valueOf(kind),
        0,
        null,
        kids.literal(),
        kind == 'a' ? starts.literal() : null,
        kind == 'o' ? lows.append('}').toString() : null);
  }
}
