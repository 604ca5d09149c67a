package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.PutResult;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * Stores a whole document: builds it anew, alone with it, and writes only the nodes whose content
 * is not stored already. One instance per call.
 */
final class Putter {
  private final KeyedStore store;
  private final Connection connection;
  private final RowKey key;

  Putter(KeyedStore store, Connection connection, RowKey key) {
    this.store = store;
    this.connection = connection;
    this.key = key;
  }

  /** Opens a document once the old one is locked. */
  @FunctionalInterface
  interface Source {
    JsonParser open() throws SQLException;
  }

  PutResult put(Source source) throws SQLException {
    Locks locks = new Locks(store, connection, key);
    Locks.Row row = locks.row();
    Long old = Header.document(row.document());
    if (old != null && locks.head(old, true) == null) {
      // A stub that is not this row's own: its branches are left alone.
      old = null;
    }
    RowWriter names = new RowWriter(store, connection, key, old);
    try (NodeWriter writer = new NodeWriter(connection, store.sql(), names::document)) {
      ReusingSink sink = new ReusingSink(writer);
      if (old != null) {
        locks.requireSnapshot(old);
        sink.load(connection, store.sql(), old);
      }
      Builder builder = new Builder(store.policy(), sink, false);
      StubBuilder.Stub stub = build(source, builder, names, row.otherBytes());
      writer.flush();
      for (Ids dropped : builder.dropped().batches()) {
        Statements.delete(connection, store.sql().deleteBranches, names.document(), dropped);
      }
      long written = writer.written();
      Ids unused = sink.unused();
      if (old != null && !stub.split()) {
        Statements.execute(connection, store.sql().deleteAllNodes, old);
        Statements.execute(connection, store.sql().deleteHead, old);
      } else if (old != null && !unused.isEmpty()) {
        delete(old, unused);
      }
      boolean changed = !stub.text().equals(row.document());
      if (changed || (store.touch() && written > 0)) {
        Statements.updateRow(connection, store, key, stub.text());
        written++;
      }
      if (old != null && stub.split() && (written > 0 || !unused.isEmpty())) {
        Statements.execute(connection, store.sql().bumpGeneration, old);
      }
      return new PutResult(written, sink.kept(), unused.size());
    }
  }

  private StubBuilder.Stub build(Source source, Builder builder, RowWriter names, long otherBytes)
      throws SQLException {
    JsonParser parser = source.open();
    try {
      if (parser.currentToken() == null && parser.nextToken() == null) {
        throw new InvalidJsonException("The text is empty where a JSON value is expected.");
      }
    } catch (JacksonException | NumberFormatException e) {
      throw Json.failure(e);
    }
    SplitPolicy policy = store.policy();
    return new StubBuilder(
            policy, builder, names::document, policy.inlineBudget(otherBytes), false, null)
        .read(parser);
  }

  private void delete(long document, Ids nodes) throws SQLException {
    for (Ids some : nodes.batches()) {
      Statements.delete(connection, store.sql().deleteNodes, document, some);
    }
  }

  /** Sets the column to NULL and removes the branches. */
  void clear() throws SQLException {
    Locks locks = new Locks(store, connection, key);
    Locks.Row row = locks.row();
    @Nullable Long old = Header.document(row.document());
    if (old != null && locks.head(old, true) != null) {
      Statements.execute(connection, store.sql().deleteAllNodes, old);
      Statements.execute(connection, store.sql().deleteHead, old);
    }
    if (row.document() != null) {
      Statements.updateRow(connection, store, key, null);
    }
  }
}
