package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.internal.Query;
import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects nodes that one statement inserts. Not thread-safe. */
public final class NewNodes implements NodeSink, Query.Parameters {
  /** The columns of the nodes; {@code VALUES} reads them from the parameters of {@link #bind}. */
  public static final String COLUMNS = "id, kind, bytes, value, kids, starts, lows";

  public static final String VALUES =
      """
      u.id, CAST(u.kind AS "char"), u.bytes, CAST(u.value AS jsonb),
      CAST(u.kids AS bigint[]), CAST(u.starts AS bigint[]), CAST(u.lows AS bytea[])\
      """;

  public static final String LIST =
      """
      ROWS FROM (pg_catalog.unnest(CAST(? AS bigint[])), pg_catalog.unnest(CAST(? AS text[])), pg_catalog.unnest(CAST(? AS integer[])),
                 pg_catalog.unnest(CAST(? AS text[])), pg_catalog.unnest(CAST(? AS text[])),
                 pg_catalog.unnest(CAST(? AS text[])), pg_catalog.unnest(CAST(? AS text[])))
        u(id, kind, bytes, value, kids, starts, lows)\
      """;

  private record Row(
      long id,
      char kind,
      int bytes,
      @Nullable String value,
      @Nullable String kids,
      @Nullable String starts,
      @Nullable String lows) {}

  private final List<Row> rows = new ArrayList<>();

  @Override
  public long leaf(LeafContent piece) {
    String kids = piece.kids().isEmpty() ? null : piece.kids().literal();
    int bytes = (int) Math.min(piece.bytes(), Integer.MAX_VALUE);
    return add(new Row(Ids.next(), piece.kind(), bytes, piece.text(), kids, null, null));
  }

  @Override
  public long inner(char kind, List<Child> children) {
    Ids kids = new Ids();
    Ids starts = new Ids();
    StringBuilder lows = new StringBuilder("{");
    long start = 0;
    for (int i = 0; i < children.size(); i++) {
      Child child = children.get(i);
      kids.add(child.id());
      starts.add(start);
      start += child.count();
      // The first child covers all keys before the second.
      String low = i == 0 ? "" : child.low();
      lows.append(i == 0 ? "" : ",").append("\"\\\\x").append(low).append('"');
    }
    starts.add(start);
    return add(
        new Row(
            Ids.next(),
            kind,
            0,
            null,
            kids.literal(),
            kind == 'a' ? starts.literal() : null,
            kind == 'o' ? lows.append('}').toString() : null));
  }

  private long add(Row row) {
    rows.add(row);
    return row.id();
  }

  public int size() {
    return rows.size();
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Binds all nodes; returns the number of the next parameter. */
  @Override
  public int bind(PreparedStatement s, int first) throws SQLException {
    Connection connection = s.getConnection();
    return Query.bind(
        s,
        first,
        connection.createArrayOf("bigint", rows.stream().map(Row::id).toArray(Long[]::new)),
        texts(connection, row -> String.valueOf(row.kind())),
        connection.createArrayOf("integer", rows.stream().map(Row::bytes).toArray(Integer[]::new)),
        texts(connection, Row::value),
        texts(connection, Row::kids),
        texts(connection, Row::starts),
        texts(connection, Row::lows));
  }

  /**
   * Converts it to an array of strings, which the driver sends in binary form, without escaping
   * quotes.
   */
  private Array texts(Connection connection, Function<Row, @Nullable String> column)
      throws SQLException {
    return connection.createArrayOf("text", rows.stream().map(column).toArray(String[]::new));
  }

  public void clear() {
    rows.clear();
  }
}
