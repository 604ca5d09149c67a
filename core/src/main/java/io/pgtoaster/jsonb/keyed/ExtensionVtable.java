package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.EditKinds;
import io.pgtoaster.internal.column.ServerExtension;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.keyed.edit.Editor;
import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.jsonb.keyed.read.Reads;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import java.io.InputStream;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Implements some operations with functions of the server extension, which are faster on the same
 * tables. A function that cannot handle a call changes nothing and returns NULL. Plain SQL then
 * does the work or throws the exception.
 */
final class ExtensionVtable extends KeyedVtable {
  private static final String PATH = "CAST(? AS text[])";
  private static final String VALUE = "CAST(? AS jsonb)";
  private static final String FLAG = "CAST(? AS boolean)";
  private static final Query.Rows<String> WORD = r -> r.getString(1);
  private static final Query.Rows<byte[]> TEXT = r -> r.getBytes(1);

  private final String get;
  private final String getMany;
  private final String slice;
  private final String type;
  private final String size;
  private final String set;
  private final String insert;
  private final String append;
  private final String appendKeeping;
  private final String remove;
  private final String increment;
  private final String shrink;

  ExtensionVtable(AttachedColumn column, KeyedStore store) {
    super(store);
    get = ServerExtension.call(column, "try_json_get", PATH);
    getMany = ServerExtension.callForEach(column, column.keyList(), "try_json_get", PATH);
    slice =
        ServerExtension.call(
            column, "try_json_slice", PATH, "CAST(? AS bigint)", "CAST(? AS bigint)");
    type = ServerExtension.call(column, "try_json_type", PATH);
    size = ServerExtension.call(column, "try_json_size", PATH);
    set = ServerExtension.call(column, "try_json_set", PATH, VALUE, FLAG, FLAG);
    insert = ServerExtension.call(column, "try_json_insert", PATH, VALUE, FLAG);
    append = ServerExtension.call(column, "try_json_append", PATH, VALUE);
    appendKeeping =
        ServerExtension.call(column, "try_json_append", PATH, VALUE, "CAST(? AS integer)");
    remove = ServerExtension.call(column, "try_json_remove", PATH);
    increment = ServerExtension.call(column, "try_json_increment", PATH, "CAST(? AS numeric)");
    shrink = ServerExtension.call(column, "try_json_shrink");
  }

  @Override
  public @Nullable InputStream open(
      Connection connection, RowKey key, DocumentPath path, @Nullable Slice wanted, int window)
      throws SQLException {
    // Reading a whole document as its rows is faster than assembling it in the server.
    if (window == 0 && !(path.isRoot() && wanted == null)) {
      byte[] text =
          wanted == null
              ? Query.first(connection, get, TEXT, key, steps(path))
              : Query.first(connection, slice, TEXT, key, steps(path), wanted.from(), wanted.to());
      if (text != null) {
        return text.length == 0 ? null : Reads.text(text);
      }
    }
    return super.open(connection, key, path, wanted, window);
  }

  @Override
  public void texts(
      Connection connection, List<RowKey> keys, DocumentPath path, ObjIntConsumer<InputStream> take)
      throws SQLException {
    List<Integer> refused =
        Query.<List<Integer>>read(
            connection,
            getMany,
            r -> {
              List<Integer> rest = new ArrayList<>();
              while (r.next()) {
                int place = r.getInt(1) - 1;
                byte[] text = r.getBytes(2);
                if (text == null) {
                  rest.add(place);
                } else if (text.length > 0) {
                  take.accept(Reads.text(text), place);
                }
              }
              return rest;
            },
            steps(path),
            Query.keys(keys));
    if (!refused.isEmpty()) {
      super.texts(
          connection,
          refused.stream().map(keys::get).toList(),
          path,
          (text, i) -> take.accept(text, refused.get(i)));
    }
  }

  @Override
  public Optional<JsonInfo> describe(
      Connection connection, RowKey key, DocumentPath path, boolean withSize) throws SQLException {
    String call = withSize ? size : type;
    String found = Query.first(connection, call, WORD, key, steps(path));
    return found == null ? super.describe(connection, key, path, withSize) : Reads.info(found);
  }

  @Override
  public Optional<Edited> tryEdit(Connection connection, RowKey key, JsonEdit edit)
      throws SQLException {
    if (edit instanceof JsonEdit.Conditional
        || edit instanceof JsonEdit.KeepLast
        || (edit instanceof JsonEdit.SetMembers members && mayChangeArray(members))) {
      return super.tryEdit(connection, key, edit);
    }
    if (edit.path().isRoot() && !EditKinds.changesContents(edit)) {
      return Optional.empty();
    }
    Query.Parameters path = steps(edit.path());
    if (edit instanceof JsonEdit.Set e) {
      Query.Parameters value = text(e.value());
      return ask(connection, set, key, path, value, e.createMissing(), e.createParents());
    } else if (edit instanceof JsonEdit.Insert e) {
      return ask(connection, insert, key, path, text(e.value()), e.after());
    } else if (edit instanceof JsonEdit.Append e) {
      return ask(connection, append, key, path, text(e.elements()));
    } else if (edit instanceof JsonEdit.SetMembers e) {
      return ask(connection, append, key, path, text(e.members()));
    } else if (edit instanceof JsonEdit.Increment e) {
      String sum = Query.first(connection, increment, WORD, key, path, e.delta());
      return Optional.ofNullable(sum)
          .map(s -> s.isEmpty() ? Edited.MISSED : new Edited(true, new BigDecimal(s), false));
    } else if (edit instanceof JsonEdit.Remove) {
      return ask(connection, remove, key, path);
    }
    throw JsonChanges.unknown(edit);
  }

  @Override
  public int[] tryEdits(
      Connection connection, List<RowKey> keys, List<List<JsonEdit>> edits, boolean whole)
      throws SQLException {
    int kept = keys.size() == 1 ? Editor.kept(edits.get(0)) : 0;
    if (kept > 0 && edits.get(0).get(1) instanceof JsonEdit.Append append) {
      Optional<Edited> done =
          ask(
              connection,
              appendKeeping,
              keys.get(0),
              steps(append.path()),
              text(append.elements()),
              kept);
      if (done.isPresent() && done.get().applied()) {
        return new int[] {2};
      }
    }
    return super.tryEdits(connection, keys, edits, whole);
  }

  private static Query.Parameters steps(DocumentPath path) {
    return new Steps(path.steps())::bind;
  }

  private static Query.Parameters text(JsonNode value) {
    return Query.untyped(JsonbText.text(value));
  }

  private static Optional<Edited> ask(
      Connection connection, String call, @Nullable Object... parameters) throws SQLException {
    return Query.read(
        connection,
        call,
        r -> {
          boolean applied = r.next() && r.getBoolean(1);
          return r.wasNull()
              ? Optional.empty()
              : Optional.of(applied ? Edited.APPLIED : Edited.MISSED);
        },
        parameters);
  }

  @Override
  public Edited edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException {
    Optional<Edited> done =
        edit instanceof JsonEdit.Conditional ? Optional.empty() : tryEdit(connection, key, edit);
    return done.isPresent() ? done.get() : super.edit(connection, key, edit);
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    String rows = Query.first(connection, shrink, WORD, key);
    if (rows != null) {
      return Long.parseLong(rows) + recompress(connection, key);
    }
    return super.compact(connection, key);
  }
}
