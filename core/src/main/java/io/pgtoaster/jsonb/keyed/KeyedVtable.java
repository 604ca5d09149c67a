package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.Positions;
import io.pgtoaster.jsonb.keyed.check.Checks;
import io.pgtoaster.jsonb.keyed.edit.Editor;
import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.jsonb.keyed.read.Reads;
import io.pgtoaster.jsonb.keyed.read.Searches;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Locks;
import io.pgtoaster.jsonb.keyed.write.Inserter;
import io.pgtoaster.jsonb.keyed.write.Putter;
import io.pgtoaster.jsonb.keyed.write.Recompression;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonVtable;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/** Implements the document operations over one store in plain SQL. */
class KeyedVtable implements JsonVtable {
  private static final int COMPACT_WINDOW = 32;

  private final KeyedStore store;
  private final Reads reads;
  private final Searches searches;
  private final Editor editor;
  private final Checks checks;

  KeyedVtable(KeyedStore store) {
    this.store = store;
    this.reads = new Reads(store);
    this.searches = new Searches(store);
    this.editor = new Editor(store);
    this.checks = new Checks(store);
  }

  private static Steps path(DocumentPath path) {
    return new Steps(path.steps());
  }

  @Override
  public @Nullable InputStream open(
      Connection connection, RowKey key, DocumentPath path, @Nullable Slice slice, int window)
      throws SQLException {
    return reads.open(connection, key, path(path), slice, window);
  }

  @Override
  public void texts(
      Connection connection, List<RowKey> keys, DocumentPath path, ObjIntConsumer<InputStream> take)
      throws SQLException {
    reads.texts(connection, keys, path(path), take);
  }

  @Override
  public List<Object> search(Connection connection, JsonSearch search, @Nullable RowKey after)
      throws SQLException {
    return searches.run(connection, search, after);
  }

  @Override
  public List<JsonOrder.Hit> searchOrdered(
      Connection connection, JsonSearch search, JsonOrder order, @Nullable RowKey after)
      throws SQLException {
    return searches.ordered(connection, search, order, after);
  }

  @Override
  public List<SearchHit> searchRanked(Connection connection, JsonSearch search)
      throws SQLException {
    return searches.ranked(connection, search);
  }

  @Override
  public List<SearchMatches> searchMatches(
      Connection connection, JsonSearch search, @Nullable RowKey after) throws SQLException {
    return searches.matches(connection, search, after);
  }

  @Override
  public Optional<JsonInfo> describe(
      Connection connection, RowKey key, DocumentPath path, boolean size) throws SQLException {
    return reads.describe(connection, key, path(path), size);
  }

  @Override
  public Optional<List<String>> keys(
      Connection connection, RowKey key, DocumentPath path, @Nullable String after, int limit)
      throws SQLException {
    return reads.keys(connection, key, path(path), after, limit);
  }

  @Override
  public Optional<Edited> tryEdit(Connection connection, RowKey key, JsonEdit edit)
      throws SQLException {
    return editor.tryEdit(connection, key, edit);
  }

  @Override
  public Edited edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException {
    if (edit instanceof JsonEdit.SetMembers all) {
      return members(connection, key, all);
    }
    return edit instanceof JsonEdit.Increment increment && increment.path().isRoot()
        ? incrementRoot(connection, key, increment)
        : editor.edit(connection, key, edit);
  }

  @Override
  public int[] tryEdits(
      Connection connection, List<RowKey> keys, List<List<JsonEdit>> edits, boolean whole)
      throws SQLException {
    boolean distributed = store.column().distributed();
    boolean single = keys.size() == 1;
    if (distributed && single && !whole && Editor.kept(edits.get(0)) > 0) {
      // The edits are separate statements, between which no other writer may append.
      new Locks(store, connection, keys.get(0)).document();
    }
    return distributed || (single && edits.get(0).size() < 2)
        ? JsonVtable.super.tryEdits(connection, keys, edits, whole)
        : editor.tryEdits(connection, keys, edits, whole);
  }

  private Edited incrementRoot(Connection connection, RowKey key, JsonEdit.Increment edit)
      throws SQLException {
    Locks.Row unused = new Locks(store, connection, key).row();
    InputStream text = open(connection, key, edit.path(), null, 0);
    if (text == null) {
      return Edited.MISSED;
    }
    JsonChanges.Result sum = JsonChanges.increment(Json.readTree(text), List.of(), edit.delta());
    replace(connection, key, sum.root());
    return new Edited(true, sum.number(), false);
  }

  private void replace(Connection connection, RowKey key, JsonNode document) throws SQLException {
    try (JsonParser parser = Json.mapper().treeAsTokens(document)) {
      PutResult unused = put(connection, key, parser);
    }
  }

  /** Returns whether sets of the members do not fail where there is no object. */
  static boolean mayChangeArray(JsonEdit.SetMembers edit) {
    return edit.members().isEmpty()
        || edit.members().propertyStream().anyMatch(m -> Positions.read(m.getKey()).isPresent());
  }

  private Edited members(Connection connection, RowKey key, JsonEdit.SetMembers edit)
      throws SQLException {
    if (mayChangeArray(edit)) {
      boolean unused = lock(connection, key);
      if (describe(connection, key, edit.path(), false)
          .filter(found -> found.type() == JsonType.OBJECT)
          .isEmpty()) {
        return Edited.MISSED;
      }
    }
    List<JsonEdit> sets = new ArrayList<>();
    edit.members()
        .forEachEntry((name, v) -> sets.add(new JsonEdit.Set(edit.path().key(name), v, true)));
    int next = 0;
    while (next < sets.size()) {
      next +=
          tryEdits(connection, List.of(key), List.of(sets.subList(next, sets.size())), false)[0];
      if (next < sets.size() && !editor.edit(connection, key, sets.get(next++)).applied()) {
        return Edited.MISSED;
      }
    }
    return Edited.APPLIED;
  }

  @Override
  public Optional<PutResult> tryPut(Connection connection, RowKey key, JsonNode document)
      throws SQLException {
    return Putter.tryPut(store, connection, key, document);
  }

  @Override
  public Optional<PutResult> tryPut(Connection connection, RowKey key, String json)
      throws SQLException {
    return Putter.tryPut(store, connection, key, json);
  }

  @Override
  public List<@Nullable PutResult> tryInserts(
      Connection connection, List<RowKey> keys, List<JsonParser> documents) throws SQLException {
    return store.column().distributed()
        ? Collections.nCopies(keys.size(), null)
        : Inserter.insert(store, connection, keys, documents);
  }

  @Override
  public PutResult put(Connection connection, RowKey key, JsonParser document) throws SQLException {
    return new Putter(store, connection, key, false).put(() -> document);
  }

  @Override
  public boolean lock(Connection connection, RowKey key) throws SQLException {
    new Locks(store, connection, key).document();
    return true;
  }

  @Override
  public void clear(Connection connection, RowKey key) throws SQLException {
    new Putter(store, connection, key, false).clear();
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    if (describe(connection, key, DocumentPath.root(), false).isEmpty()
        || new Locks(store, connection, key).row().document() == null) {
      return 0;
    }
    @Nullable JsonParser[] opened = new JsonParser[1];
    try {
      long written =
          new Putter(store, connection, key, false)
              .compact(() -> opened[0] = document(connection, key))
              .written();
      return written + recompress(connection, key);
    } finally {
      if (opened[0] != null) {
        opened[0].close();
      }
    }
  }

  /** Converts stored values to the compression of the store; returns the number of rows written. */
  long recompress(Connection connection, RowKey key) throws SQLException {
    return new Recompression(store.at(key)).run(connection, key);
  }

  /** Returns the tokens of the stored document; closing the parser closes the statement. */
  private JsonParser document(Connection connection, RowKey key) throws SQLException {
    InputStream text = open(connection, key, DocumentPath.root(), null, COMPACT_WINDOW);
    if (text == null) {
      throw new RowNotFoundException("the document was deleted while it was compacted");
    }
    return Json.parser(text);
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    return checks.verify(connection, key);
  }

  @Override
  public Optional<DocumentStat> stat(Connection connection, RowKey key) throws SQLException {
    return checks.stat(connection, key);
  }
}
