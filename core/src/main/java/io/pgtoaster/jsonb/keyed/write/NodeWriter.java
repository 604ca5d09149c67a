package io.pgtoaster.jsonb.keyed.write;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.Script;
import io.pgtoaster.jsonb.keyed.build.NewNodes;
import io.pgtoaster.jsonb.keyed.build.NodeSink;
import io.pgtoaster.jsonb.keyed.build.StubBuilder;
import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes nodes of one document in batches. Not thread-safe. */
final class NodeWriter implements NodeSink {
  private static final int BATCH_ROWS = 256;
  private static final int BATCH_CHARS = 1 << 20;

  private final Connection connection;
  private final KeyedStore store;
  private final StubBuilder.Naming naming;
  private final NewNodes pending = new NewNodes();
  private int rows;
  private int chars;
  private long written;

  /**
   * Creates a writer.
   *
   * @param store the store of the nodes
   * @param naming names the document when the first nodes are sent
   */
  NodeWriter(KeyedStore store, Connection connection, StubBuilder.Naming naming) {
    this.connection = connection;
    this.store = store;
    this.naming = naming;
  }

  @Override
  public long leaf(LeafContent piece) throws SQLException {
    long id = pending.leaf(piece);
    added(piece.text().length());
    return id;
  }

  @Override
  public long inner(char kind, List<Child> children) throws SQLException {
    long id = pending.inner(kind, children);
    added(0);
    return id;
  }

  private void added(int length) throws SQLException {
    written++;
    rows++;
    chars += length;
    if (rows >= BATCH_ROWS || chars >= BATCH_CHARS) {
      flush();
    }
  }

  /** Adds the statement that inserts the pending nodes. */
  void flushTo(Script script) throws SQLException {
    if (!pending.isEmpty()) {
      script.add(store.sql(KeyedSql.INSERT_NODES), naming.document(), pending);
    }
  }

  /** Adds the statement that creates the document: its head, the pending nodes, and its row. */
  void createBy(Script script, RowKey key, String stub) {
    script.add(store.sql(KeyedSql.CREATE_DOCUMENT), key, pending, Query.untyped(stub), key);
  }

  /** Sends the pending nodes. */
  void flush() throws SQLException {
    if (rows > 0) {
      Script script = new Script();
      flushTo(script);
      script.run(connection);
      sent();
    }
    rows = 0;
    chars = 0;
  }

  /** Forgets the nodes that a script has sent. */
  void sent() {
    pending.clear();
  }

  /** Returns the number of rows written or pending. */
  long written() {
    return written;
  }
}
