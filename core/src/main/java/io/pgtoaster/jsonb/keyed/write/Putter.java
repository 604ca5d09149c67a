package io.pgtoaster.jsonb.keyed.write;

import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.Script;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.Transactions;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.keyed.build.Builder;
import io.pgtoaster.jsonb.keyed.build.StubBuilder;
import io.pgtoaster.jsonb.keyed.format.Header;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Locks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/**
 * Stores a whole document: rebuilds it with exclusive access, and writes only the nodes whose
 * content is not already stored. One instance per call.
 *
 * @param commits whether the last statements are sent with the transaction's COMMIT
 */
public record Putter(KeyedStore store, Connection connection, RowKey key, boolean commits) {
  static final PutResult WRITTEN = new PutResult(1, 0, 0);

  public Putter {
    store = store.at(key);
  }

  /** Opens a document after the old one is locked. */
  @FunctionalInterface
  public interface Source {
    JsonParser open() throws SQLException;
  }

  /**
   * Stores a document in one round trip, or in two, of which the second commits. In a transaction
   * of the caller, stores only a document that fits into the row, and otherwise returns empty.
   */
  public static Optional<PutResult> tryPut(
      KeyedStore store, Connection connection, RowKey key, JsonNode document) throws SQLException {
    Optional<PutResult> plain = tryPlain(store, connection, key, document);
    return plain.isPresent()
        ? plain
        : tryPut(store, connection, key, () -> Json.mapper().treeAsTokens(document));
  }

  /** Stores text that probably does not fit into the row, in two round trips. */
  public static Optional<PutResult> tryPut(
      KeyedStore store, Connection connection, RowKey key, String json) throws SQLException {
    return tryPut(store, connection, key, () -> Json.parser(json));
  }

  private static Optional<PutResult> tryPut(
      KeyedStore store, Connection connection, RowKey key, Supplier<JsonParser> document)
      throws SQLException {
    if (!connection.getAutoCommit()) {
      return Optional.empty();
    }
    try (JsonParser parser = document.get()) {
      return Optional.of(
          Transactions.run(
              connection, c -> new Putter(store, c, key, true).put(() -> parser, true)));
    } catch (SQLException e) {
      if (SqlErrors.isConnectionLost(e)) {
        // The connection was lost before the commit. Without this change, the error could look like
        // that of an autocommit statement.
        throw SqlErrors.translate(e);
      }
      throw e;
    }
  }

  /** Replaces a plain document with a plain one in one statement, if it fits into the row. */
  private static Optional<PutResult> tryPlain(
      KeyedStore store, Connection connection, RowKey key, JsonNode document) throws SQLException {
    long size = store.policy().sizeWithoutPinned(document);
    if (size > store.policy().rowBudget()
        || Markers.hasSuchKey(document)
        || store.column().distributed()) {
      return Optional.empty();
    }
    int written =
        Query.update(
            connection,
            store.at(key).sql(KeyedSql.TRY_PUT),
            Query.untyped(JsonbText.text(document)),
            key,
            size,
            store.policy().rowBudget() - SplitPolicy.ROW_HEADER,
            SplitPolicy.MIN_INLINE);
    return written == 1 ? Optional.of(WRITTEN) : Optional.empty();
  }

  /** Stores a document; leaves that edits have cut stay unchanged. */
  public PutResult put(Source source) throws SQLException {
    return put(source, true);
  }

  /** Rewrites the document in large leaves. */
  public PutResult compact(Source source) throws SQLException {
    return put(source, false);
  }

  private PutResult put(Source source, boolean keepsCuts) throws SQLException {
    DocumentNumber number = new DocumentNumber(store, connection, key);
    NodeWriter writer = new NodeWriter(store, connection, number::create);
    ReusingSink sink = new ReusingSink(writer, keepsCuts);
    Locks.Stored stored =
        new Locks(store, connection, key)
            .whole((document, nodes) -> sink.load(store, connection, document, nodes));
    Locks.Row row = stored.row();
    Long old = stored.document();
    if (old != null) {
      number.set(old);
    }
    Builder builder = new Builder(store.policy(), sink);
    StubBuilder.Stub stub = build(source, builder, number, row.otherBytes());
    Script script = new Script();
    if (stub.split() && number.orZero() == 0) {
      writer.createBy(script, key, stub.text());
      send(script);
      return new PutResult(writer.written() + 1, 0, 0);
    }
    writer.flushTo(script);
    long written = writer.written();
    for (Ids dropped : builder.dropped().batches()) {
      delete(script, store.sql(KeyedSql.DELETE_BRANCHES), number.create(), dropped);
    }
    Ids unused = sink.unused();
    if (old != null && !stub.split()) {
      script.add(store.sql(KeyedSql.DELETE_ALL_NODES), old);
      script.add(store.sql(KeyedSql.DELETE_HEAD), old);
    } else if (old != null) {
      for (Ids some : unused.batches()) {
        delete(script, store.sql(KeyedSql.DELETE_NODES), old, some);
      }
    }
    boolean changed = !stub.text().equals(row.document());
    if (changed || (store.touch() && written > 0)) {
      update(script, stub.text());
      written++;
    }
    if (old != null && stub.split() && (written > 0 || !unused.isEmpty())) {
      script.add(store.sql(KeyedSql.BUMP_GENERATION), old);
    }
    send(script);
    return new PutResult(written, sink.kept(), unused.size());
  }

  private void send(Script script) throws SQLException {
    if (commits) {
      script.commit(connection);
    } else {
      script.run(connection);
    }
  }

  private StubBuilder.Stub build(
      Source source, Builder builder, DocumentNumber number, long otherBytes) throws SQLException {
    JsonParser parser = source.open();
    begin(parser);
    SplitPolicy policy = store.policy();
    // If one statement creates the document, that statement assigns its number, unless branches
    // must be dropped.
    StubBuilder.Naming naming =
        () ->
            builder.dropped().isEmpty() && !store.column().distributed()
                ? number.orZero()
                : number.create();
    StubBuilder.Stub stub =
        new StubBuilder(policy, builder, naming, policy.inlineBudget(otherBytes)).read(parser);
    if (commits) {
      Json.requireEnd(parser);
    }
    return stub;
  }

  static void begin(JsonParser parser) {
    try {
      if (parser.currentToken() == null && parser.nextToken() == null) {
        throw new InvalidJsonException("the text is empty; a JSON value is expected");
      }
    } catch (JacksonException | NumberFormatException e) {
      throw Json.failure(e);
    }
  }

  /** Adds a deletion; runs the script after each full list to limit memory. */
  private void delete(Script script, String sql, long document, Ids nodes) throws SQLException {
    script.add(sql, document, Query.untyped(nodes.literal()));
    if (nodes.isFull()) {
      script.run(connection);
    }
  }

  private void update(Script script, @Nullable String document) {
    script.add(store.sql(KeyedSql.UPDATE_ROW), Query.untyped(document), key);
  }

  /** Sets the column to NULL and deletes the branches. */
  public void clear() throws SQLException {
    Locks locks = new Locks(store, connection, key);
    Locks.Row row = locks.row();
    @Nullable Long old = Header.document(row.document());
    Script script = new Script();
    if (old != null && locks.head() != null) {
      script.add(store.sql(KeyedSql.DELETE_ALL_NODES), old);
      script.add(store.sql(KeyedSql.DELETE_HEAD), old);
    }
    if (row.document() != null) {
      update(script, null);
    }
    script.run(connection);
  }
}
