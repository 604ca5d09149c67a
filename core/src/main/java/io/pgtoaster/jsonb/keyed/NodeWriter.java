package io.pgtoaster.jsonb.keyed;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes nodes of one document, in batches. Not thread-safe. */
final class NodeWriter implements NodeSink, AutoCloseable {
  private static final int BATCH_ROWS = 256;
  private static final int BATCH_CHARS = 1 << 20;

  private final Connection connection;
  private final KeyedSql sql;
  private final StubBuilder.Naming naming;
  private @Nullable PreparedStatement insert;
  private @Nullable PreparedStatement update;
  private int rows;
  private int chars;
  private long written;

  /**
   * Starts.
   *
   * @param connection in a transaction
   * @param sql the statements
   * @param naming names the document, when the first node is written
   */
  NodeWriter(Connection connection, KeyedSql sql, StubBuilder.Naming naming) {
    this.connection = connection;
    this.sql = sql;
    this.naming = naming;
  }

  @Override
  public long leaf(Piece piece) throws SQLException {
    long id = Ids.next();
    leaf(id, piece);
    return id;
  }

  /** Inserts a leaf of a given number. */
  void leaf(long id, Piece piece) throws SQLException {
    bindLeaf(insert(), id, piece);
    added(insert(), piece.text().length());
  }

  @Override
  public long inner(char kind, List<Child> children) throws SQLException {
    long id = Ids.next();
    bindInner(insert(), id, kind, children);
    added(insert(), 0);
    return id;
  }

  void updateLeaf(long id, Piece piece) throws SQLException {
    bindLeaf(update(), id, piece);
    added(update(), piece.text().length());
  }

  void updateInner(long id, char kind, List<Child> children) throws SQLException {
    bindInner(update(), id, kind, children);
    added(update(), 0);
  }

  private PreparedStatement insert() throws SQLException {
    PreparedStatement open = insert;
    if (open == null) {
      open = connection.prepareStatement(sql.insertNode);
      insert = open;
    }
    return open;
  }

  private PreparedStatement update() throws SQLException {
    PreparedStatement open = update;
    if (open == null) {
      open = connection.prepareStatement(sql.updateNode);
      update = open;
    }
    return open;
  }

  private void bindLeaf(PreparedStatement s, long id, Piece piece) throws SQLException {
    bind(
        s,
        id,
        piece.kind(),
        piece.bytes(),
        piece.text(),
        piece.kids().isEmpty() ? null : piece.kids().literal());
    s.setNull(5, Types.OTHER);
    s.setNull(6, Types.OTHER);
  }

  private void bindInner(PreparedStatement s, long id, char kind, List<Child> children)
      throws SQLException {
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
    bind(s, id, kind, 0, null, kids.literal());
    s.setObject(5, kind == 'a' ? starts.literal() : null, Types.OTHER);
    s.setObject(6, kind == 'o' ? lows.append('}').toString() : null, Types.OTHER);
  }

  private void bind(
      PreparedStatement s,
      long id,
      char kind,
      long bytes,
      @Nullable String text,
      @Nullable String kids)
      throws SQLException {
    s.setString(1, String.valueOf(kind));
    s.setInt(2, (int) Math.min(bytes, Integer.MAX_VALUE));
    s.setObject(3, text, Types.OTHER);
    s.setObject(4, kids, Types.OTHER);
    s.setLong(7, naming.document());
    s.setLong(8, id);
  }

  private void added(PreparedStatement s, int length) throws SQLException {
    s.addBatch();
    written++;
    rows++;
    chars += length;
    if (rows >= BATCH_ROWS || chars >= BATCH_CHARS) {
      flush();
    }
  }

  /** Sends what is pending. */
  void flush() throws SQLException {
    for (PreparedStatement pending : new PreparedStatement[] {insert, update}) {
      if (pending != null && rows > 0) {
        pending.executeBatch();
      }
    }
    rows = 0;
    chars = 0;
  }

  /** Number of rows written or pending. */
  long written() {
    return written;
  }

  @Override
  public void close() throws SQLException {
    PreparedStatement first = insert;
    PreparedStatement second = update;
    try {
      if (first != null) {
        first.close();
      }
    } finally {
      if (second != null) {
        second.close();
      }
    }
  }
}
