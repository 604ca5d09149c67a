package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.RowPlace;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.JsonInfo;
import io.pgtoaster.jsonb.JsonType;
import io.pgtoaster.jsonb.JsonVtable.Slice;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Reads values by path: what is given comes from one statement each, and so from one snapshot. */
final class Reads {
  private final KeyedStore store;
  private final QuickReads quick;

  Reads(KeyedStore store) {
    this.store = store;
    this.quick = new QuickReads(store);
  }

  @Nullable InputStream open(
      Connection connection, RowKey key, Steps path, @Nullable Slice slice, int window)
      throws SQLException {
    if (path.length() == 0 && slice == null && window == 0) {
      return whole(connection, key);
    }
    boolean hasQuick = slice == null && window == 0;
    if (hasQuick) {
      QuickReads.Answer answer = quick.read(connection, key, path);
      if (answer != null) {
        return answer.stream();
      }
    }
    PreparedStatement s =
        connection.prepareStatement(slice == null ? store.sql().open : store.sql().slice);
    @Nullable StoredRows rows = null;
    try {
      s.setFetchSize(window);
      int next = key.bind(s, path.bind(connection, s, 1, path.length()));
      if (slice != null) {
        s.setLong(next++, slice.from());
        s.setLong(next, slice.to());
      }
      rows = new StoredRows(s);
      if (!rows.first()) {
        throw noRow();
      }
      if (hasQuick) {
        quick.found(path, rows.reach());
      }
      boolean notArray = slice != null && rows.children() != null && rows.kind() != 'a';
      StoredText text = notArray ? null : StoredText.of(rows);
      if (text == null) {
        rows.close();
      }
      return text;
    } catch (SQLException | RuntimeException e) {
      close(s, e);
      throw e;
    }
  }

  /** Reads a whole document into memory. */
  private @Nullable InputStream whole(Connection connection, RowKey key) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().whole)) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        WholeRows rows = WholeRows.of(r);
        if (rows == null) {
          throw noRow();
        }
        return StoredText.of(rows);
      }
    }
  }

  /** Reads the values at one path of many rows, if all are expected in their rows. */
  boolean textsInRows(
      Connection connection, List<RowKey> keys, Steps path, ObjIntConsumer<byte[]> take)
      throws SQLException {
    boolean all = quick.readAll(connection, keys, path, take);
    if (!all) {
      quick.found(path, Reach.NODE);
    }
    return all;
  }

  /** Reads the values at one path of many rows; rows that are not there are left out. */
  void texts(Connection connection, List<RowKey> keys, Steps path, ObjIntConsumer<byte[]> take)
      throws SQLException {
    if (quick.readAll(connection, keys, path, take)) {
      return;
    }
    PreparedStatement s = connection.prepareStatement(store.sql().openMany);
    try (s) {
      Reach farthest = Reach.ROW;
      path.bind(connection, s, RowKey.bindAll(s, 1, keys), path.length());
      try (StoredRows rows = new StoredRows(s)) {
        try {
          while (rows.first()) {
            int key = rows.key() - 1;
            Reach reach = rows.reach();
            farthest = reach.compareTo(farthest) > 0 ? reach : farthest;
            StoredText text = StoredText.of(rows);
            if (text != null) {
              take.accept(text.readAllBytes(), key);
            }
          }
          quick.found(path, farthest);
        } catch (DocumentCorruptException e) {
          String key = String.join(", ", keys.get(rows.key() - 1).values());
          RowPlace place = () -> key;
          throw e.at(place.describe(store.column().describe()));
        }
      }
    } catch (IOException e) {
      throw e.getCause() instanceof RuntimeException known ? known : new UncheckedIOException(e);
    }
  }

  private static void close(PreparedStatement statement, Exception reason) {
    try {
      statement.close();
    } catch (SQLException closing) {
      reason.addSuppressed(closing);
    }
  }

  Optional<JsonInfo> describe(Connection connection, RowKey key, Steps path, boolean size)
      throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(size ? store.sql().sizeOf : store.sql().typeOf)) {
      key.bind(s, path.bind(connection, s, 1, path.length()));
      try (ResultSet r = s.executeQuery()) {
        requireRow(r);
        String type = r.getString(2);
        if (type == null) {
          return Optional.empty();
        }
        long count = r.getLong(3);
        return Optional.of(new JsonInfo(JsonType.named(type), r.wasNull() ? -1 : count));
      }
    }
  }

  Optional<List<String>> keys(
      Connection connection, RowKey key, Steps path, @Nullable String after, int limit)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().keys)) {
      int next = key.bind(s, path.bind(connection, s, 1, path.length()));
      s.setString(next++, after);
      s.setBytes(next++, after == null ? null : KeyOrder.code(after));
      s.setInt(next, limit);
      try (ResultSet r = s.executeQuery()) {
        requireRow(r);
        if (!"object".equals(r.getString(2))) {
          return Optional.empty();
        }
        List<String> keys = new ArrayList<>();
        do {
          String name = r.getString(3);
          if (name != null) {
            keys.add(name);
          }
        } while (r.next());
        return Optional.of(keys);
      }
    }
  }

  private static void requireRow(ResultSet r) throws SQLException {
    if (!r.next()) {
      throw noRow();
    }
    if (r.getBoolean(1)) {
      throw new DocumentCorruptException(ValueRows.NOT_OWNED);
    }
  }

  static RowNotFoundException noRow() {
    return new RowNotFoundException("there is no row with that key");
  }
}
