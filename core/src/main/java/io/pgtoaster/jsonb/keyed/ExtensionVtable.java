package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.ServerExtension;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.DocumentStat;
import io.pgtoaster.jsonb.EditOutcome;
import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.jsonb.JsonInfo;
import io.pgtoaster.jsonb.JsonVtable;
import io.pgtoaster.jsonb.PutResult;
import io.pgtoaster.jsonb.keyed.read.Reads;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/**
 * The same operations by functions of the server extension, where they are faster, over the same
 * tables. A function that refuses has done nothing and returns NULL: then plain SQL does it, or
 * says why not.
 */
final class ExtensionVtable implements JsonVtable {
  private static final String PATH = "CAST(? AS text[])";
  private static final String VALUE = "CAST(? AS jsonb)";

  private final KeyedVtable sql;
  private final String get;
  private final String getMany;
  private final String slice;
  private final String type;
  private final String size;
  private final String set;
  private final String insert;
  private final String append;
  private final String remove;
  private final String increment;
  private final String shrink;

  ExtensionVtable(AttachedColumn column, KeyedVtable sql) {
    this.sql = sql;
    get = ServerExtension.call(column, "try_json_get", PATH);
    getMany = ServerExtension.callForEach(column, "try_json_get", PATH);
    slice =
        ServerExtension.call(
            column, "try_json_slice", PATH, "CAST(? AS bigint)", "CAST(? AS bigint)");
    type = ServerExtension.call(column, "try_json_type", PATH);
    size = ServerExtension.call(column, "try_json_size", PATH);
    set = ServerExtension.call(column, "try_json_set", PATH, VALUE, "CAST(? AS boolean)");
    insert = ServerExtension.call(column, "try_json_insert", PATH, VALUE, "CAST(? AS boolean)");
    append = ServerExtension.call(column, "try_json_append", PATH, VALUE);
    remove = ServerExtension.call(column, "try_json_remove", PATH);
    increment = ServerExtension.call(column, "try_json_increment", PATH, "CAST(? AS numeric)");
    shrink = ServerExtension.call(column, "try_json_shrink");
  }

  /** Binds key and path; returns the number of the next parameter. */
  private static int bind(Connection connection, PreparedStatement s, RowKey key, DocumentPath path)
      throws SQLException {
    int next = key.bind(s, 1);
    s.setArray(next++, connection.createArrayOf("text", path.steps().toArray()));
    return next;
  }

  @Override
  public @Nullable InputStream open(
      Connection connection, RowKey key, DocumentPath path, @Nullable Slice wanted, int window)
      throws SQLException {
    if (window == 0) {
      try (PreparedStatement s = connection.prepareStatement(wanted == null ? get : slice)) {
        int next = bind(connection, s, key, path);
        if (wanted != null) {
          s.setLong(next++, wanted.from());
          s.setLong(next, wanted.to());
        }
        try (ResultSet r = s.executeQuery()) {
          r.next();
          byte[] text = r.getBytes(1);
          if (text != null) {
            return text.length == 0 ? null : new ByteArrayInputStream(text);
          }
        }
      }
    }
    return sql.open(connection, key, path, wanted, window);
  }

  @Override
  public void texts(
      Connection connection, List<RowKey> keys, DocumentPath path, ObjIntConsumer<byte[]> take)
      throws SQLException {
    List<RowKey> rest = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(getMany)) {
      s.setArray(1, connection.createArrayOf("text", path.steps().toArray()));
      RowKey.bindAll(s, 2, keys);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          int place = r.getInt(1) - 1;
          byte[] text = r.getBytes(2);
          if (text == null) {
            rest.add(keys.get(place));
            places.add(place);
          } else if (text.length > 0) {
            take.accept(text, place);
          }
        }
      }
    }
    if (!rest.isEmpty()) {
      sql.texts(connection, rest, path, (text, i) -> take.accept(text, places.get(i)));
    }
  }

  @Override
  public Optional<JsonInfo> describe(
      Connection connection, RowKey key, DocumentPath path, boolean withSize) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(withSize ? size : type)) {
      bind(connection, s, key, path);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        String found = r.getString(1);
        if (found != null) {
          return Reads.info(found);
        }
      }
    }
    return sql.describe(connection, key, path, withSize);
  }

  @Override
  public Optional<EditOutcome> tryEdit(Connection connection, RowKey key, JsonEdit edit)
      throws SQLException {
    if (edit instanceof JsonEdit.Conditional) {
      return sql.tryEdit(connection, key, edit);
    }
    String call = call(edit);
    if (call == null) {
      return Optional.empty();
    }
    try (PreparedStatement s = connection.prepareStatement(call)) {
      int next = bind(connection, s, key, edit.path());
      if (edit instanceof JsonEdit.Set e) {
        s.setObject(next++, JsonbText.text(e.value()), Types.OTHER);
        s.setBoolean(next, e.createMissing());
      } else if (edit instanceof JsonEdit.Insert e) {
        s.setObject(next++, JsonbText.text(e.value()), Types.OTHER);
        s.setBoolean(next, e.after());
      } else if (edit instanceof JsonEdit.Concat e) {
        s.setObject(next, JsonbText.text(e.value()), Types.OTHER);
      } else if (edit instanceof JsonEdit.Increment e) {
        s.setBigDecimal(next, e.delta());
      }
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return edit instanceof JsonEdit.Increment ? number(r) : outcome(r);
      }
    }
  }

  /** The statement for an edit; null if there is none. */
  private @Nullable String call(JsonEdit edit) {
    if (edit.path().isRoot() && !(edit instanceof JsonEdit.Concat)) {
      return null;
    }
    if (edit instanceof JsonEdit.Set) {
      return set;
    } else if (edit instanceof JsonEdit.Insert) {
      return insert;
    } else if (edit instanceof JsonEdit.Concat) {
      return append;
    } else if (edit instanceof JsonEdit.Increment) {
      return increment;
    }
    return remove;
  }

  private static Optional<EditOutcome> outcome(ResultSet r) throws SQLException {
    boolean applied = r.getBoolean(1);
    return r.wasNull()
        ? Optional.empty()
        : Optional.of(applied ? EditOutcome.APPLIED : EditOutcome.MISSED);
  }

  private static Optional<EditOutcome> number(ResultSet r) throws SQLException {
    String number = r.getString(1);
    if (number == null) {
      return Optional.empty();
    }
    return Optional.of(
        number.isEmpty() ? EditOutcome.MISSED : new EditOutcome(true, new BigDecimal(number)));
  }

  @Override
  public EditOutcome edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException {
    Optional<EditOutcome> done =
        edit instanceof JsonEdit.Conditional ? Optional.empty() : tryEdit(connection, key, edit);
    return done.isPresent() ? done.get() : sql.edit(connection, key, edit);
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(shrink)) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        long rows = r.getLong(1);
        if (!r.wasNull()) {
          return rows + sql.recompress(connection, key);
        }
      }
    }
    return sql.compact(connection, key);
  }

  @Override
  public Optional<List<String>> keys(
      Connection connection, RowKey key, DocumentPath path, @Nullable String after, int limit)
      throws SQLException {
    return sql.keys(connection, key, path, after, limit);
  }

  @Override
  public Optional<PutResult> tryPut(Connection connection, RowKey key, JsonNode document)
      throws SQLException {
    return sql.tryPut(connection, key, document);
  }

  @Override
  public Optional<PutResult> tryInsert(Connection connection, RowKey key, JsonNode document)
      throws SQLException {
    return sql.tryInsert(connection, key, document);
  }

  @Override
  public PutResult put(Connection connection, RowKey key, JsonParser document) throws SQLException {
    return sql.put(connection, key, document);
  }

  @Override
  public boolean lock(Connection connection, RowKey key) throws SQLException {
    return sql.lock(connection, key);
  }

  @Override
  public void clear(Connection connection, RowKey key) throws SQLException {
    sql.clear(connection, key);
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    return sql.verify(connection, key);
  }

  @Override
  public Optional<DocumentStat> stat(Connection connection, RowKey key) throws SQLException {
    return sql.stat(connection, key);
  }
}
