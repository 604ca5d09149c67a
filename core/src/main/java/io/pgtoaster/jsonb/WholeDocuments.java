package io.pgtoaster.jsonb;

import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnAccess.Resolved;
import io.pgtoaster.internal.column.OperationContext;
import io.pgtoaster.internal.column.OwnerRows;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/** Reads and writes whole documents, and applies patches of several paths. */
record WholeDocuments(ColumnAccess<JsonToaster, JsonVtable> access, Values values) {
  /** Largest document that is sent with its row in one statement, in bytes. */
  static final int ONE_STATEMENT = 1 << 19;

  /**
   * Longest text, in characters, that is parsed into a tree to find out whether it fits into its
   * row.
   */
  private static final int SHORT_TEXT = 8_000;

  /** Copies a stream or reader. */
  @FunctionalInterface
  interface Copy<S> {
    long run(S source) throws IOException;
  }

  PutResult put(Object key, Object document) {
    OperationContext context = DocumentOperation.row("put", key);
    if (document instanceof CharSequence text
        && text.length() > SHORT_TEXT
        && text.length() <= ONE_STATEMENT) {
      String json = text.toString();
      return access.write(
          context,
          (c, column, row) -> column.vtable().tryPut(c, row, json),
          (c, column, row) -> put(c, column, row, json));
    }
    JsonNode tree = inMemory(context, document);
    if (tree == null) {
      return access.inTransaction(
          context, !isStream(document), (c, column, row) -> put(c, column, row, document));
    }
    return access.write(
        context,
        (c, column, row) -> column.vtable().tryPut(c, row, tree),
        (c, column, row) -> put(c, column, row, tree));
  }

  private static boolean isStream(Object document) {
    return document instanceof InputStream || document instanceof Reader;
  }

  /** Returns a document that is small enough for one statement, or null. */
  private @Nullable JsonNode inMemory(OperationContext context, Object document) {
    if (isStream(document)
        || (document instanceof CharSequence text && text.length() > ONE_STATEMENT)) {
      return null;
    }
    try {
      JsonNode tree = values.document(document);
      return JsonbSize.size(tree) <= ONE_STATEMENT ? tree : null;
    } catch (InvalidJsonException e) {
      throw SqlErrors.at(e, context.describe(access.resolved().column().describe()));
    }
  }

  private PutResult put(
      Connection c, Resolved<JsonToaster, JsonVtable> column, RowKey row, Object document)
      throws SQLException {
    try {
      JsonParser parser = values.parser(document);
      PutResult result = column.vtable().put(c, row, parser);
      Json.requireEnd(parser);
      return result;
    } catch (RuntimeException e) {
      throw Failures.inCall(e);
    }
  }

  PutResult insert(Object key, Object document) {
    OperationContext context = DocumentOperation.row("insert", key);
    Supplier<JsonParser> source = source(context, document);
    ColumnAccess.Work<JsonToaster, JsonVtable, PutResult> rowFirst =
        (c, column, row) -> {
          OwnerRows.insert(c, column.column(), row);
          return put(c, column, row, document);
        };
    return source == null
        ? access.inTransaction(context, !isStream(document), rowFirst)
        : access.write(
            context,
            (c, column, row) -> {
              try (JsonParser parser = source.get()) {
                return Optional.ofNullable(
                    column.vtable().tryInserts(c, List.of(row), List.of(parser)).get(0));
              }
            },
            rowFirst);
  }

  /** Reads a document that is small enough for one statement; returns null for larger ones. */
  private @Nullable Supplier<JsonParser> source(OperationContext context, Object document) {
    if (document instanceof CharSequence text && text.length() <= ONE_STATEMENT) {
      String json = text.toString();
      return () -> Json.parser(json);
    }
    JsonNode tree = inMemory(context, document);
    return tree == null ? null : () -> Json.mapper().treeAsTokens(tree);
  }

  static <S extends Closeable> boolean load(Optional<S> opened, Copy<S> copy) {
    if (opened.isEmpty()) {
      return false;
    }
    try (S source = opened.get()) {
      copy.run(source);
      return true;
    } catch (IOException e) {
      throw Failures.afterwards(e);
    }
  }

  void merge(Object key, Object patch) {
    JsonNode given = values.document(patch);
    locked("merge", key, (c, column, row) -> MergePatch.apply(c, row, column.vtable(), given));
  }

  void patch(Object key, Object operations) {
    JsonPatch patch =
        operations instanceof JsonPatch given ? given : JsonPatch.of(values.document(operations));
    locked(
        "patch",
        key,
        (c, column, row) ->
            patch.operations.apply(new StoredDocumentTarget(c, row, column.vtable())));
  }

  void clear(Object key) {
    change("clear", key, (c, column, row) -> column.vtable().clear(c, row));
  }

  long compact(Object key) {
    long[] rows = new long[1];
    change("compact", key, (c, column, row) -> rows[0] = column.vtable().compact(c, row));
    return rows[0];
  }

  /** Makes several changes. */
  @FunctionalInterface
  private interface Changes {
    void run(Connection connection, Resolved<JsonToaster, JsonVtable> column, RowKey row)
        throws SQLException;
  }

  /** Runs changes while the document is locked against other writers. */
  private void locked(String verb, Object key, Changes changes) {
    change(
        verb,
        key,
        (c, column, row) -> {
          Edits.lock(c, column, row);
          changes.run(c, column, row);
        });
  }

  private void change(String verb, Object key, Changes changes) {
    access.inTransaction(
        DocumentOperation.row(verb, key),
        true,
        (c, column, row) -> {
          try {
            changes.run(c, column, row);
          } catch (RuntimeException e) {
            throw Failures.inCall(e);
          }
          return row;
        });
  }
}
