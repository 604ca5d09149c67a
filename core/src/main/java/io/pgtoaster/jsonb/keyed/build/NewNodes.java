package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.NodeText;
import io.pgtoaster.jsonb.keyed.format.Piece;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes that are to be inserted, by one statement for all of them. Not thread-safe. */
public final class NewNodes implements NodeSink {
  /** Columns of the nodes, and the same read from the parameters that {@link #bind} binds. */
  public static final String COLUMNS = "id, kind, bytes, value, kids, starts, lows";

  public static final String VALUES =
      """
      u.id, CAST(u.kind AS "char"), u.bytes, CAST(u.value AS jsonb),
      CAST(u.kids AS bigint[]), CAST(u.starts AS bigint[]), CAST(u.lows AS bytea[])\
      """;

  public static final String LIST =
      """
      ROWS FROM (unnest(CAST(? AS bigint[])), unnest(CAST(? AS text[])), unnest(CAST(? AS integer[])),
                 unnest(CAST(? AS text[])), unnest(CAST(? AS text[])), unnest(CAST(? AS text[])), unnest(CAST(? AS text[])))
        u(id, kind, bytes, value, kids, starts, lows)\
      """;

  private final List<Long> ids = new ArrayList<>();
  private final List<String> kinds = new ArrayList<>();
  private final List<Integer> bytes = new ArrayList<>();
  private final List<@Nullable String> values = new ArrayList<>();
  private final List<@Nullable String> kids = new ArrayList<>();
  private final List<@Nullable String> starts = new ArrayList<>();
  private final List<@Nullable String> lows = new ArrayList<>();

  @Override
  public long leaf(Piece piece) {
    return add(NodeText.leaf(piece));
  }

  @Override
  public long inner(char kind, List<Child> children) {
    return add(NodeText.inner(kind, children));
  }

  private long add(NodeText node) {
    long id = Ids.next();
    ids.add(id);
    kinds.add(node.kind());
    bytes.add(node.bytes());
    values.add(node.value());
    kids.add(node.kids());
    starts.add(node.starts());
    lows.add(node.lows());
    return id;
  }

  public int size() {
    return ids.size();
  }

  public boolean isEmpty() {
    return ids.isEmpty();
  }

  /** Binds all nodes; returns the number of the next parameter. */
  public int bind(Connection connection, PreparedStatement s, int first) throws SQLException {
    int next = first;
    s.setArray(next++, connection.createArrayOf("bigint", ids.toArray(new Long[0])));
    s.setArray(next++, connection.createArrayOf("text", kinds.toArray(new String[0])));
    s.setArray(next++, connection.createArrayOf("integer", bytes.toArray(new Integer[0])));
    for (List<@Nullable String> column : List.of(values, kids, starts, lows)) {
      s.setArray(next++, connection.createArrayOf("text", column.toArray(new String[0])));
    }
    return next;
  }

  public void clear() {
    for (List<?> column : List.of(ids, kinds, bytes, values, kids, starts, lows)) {
      column.clear();
    }
  }
}
