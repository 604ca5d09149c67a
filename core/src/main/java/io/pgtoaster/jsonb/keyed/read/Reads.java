package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.column.JsonType;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonVtable.Slice;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Reads values by path. Each value is read by one statement, and therefore from one snapshot. */
public final class Reads {
  private final KeyedStore store;

  /**
   * True if the last document that was read as a whole was in its row. For such documents, the
   * statement for a value takes half as long as the statement for all rows; for documents in
   * several rows, it takes twice as long.
   */
  private volatile boolean inRow;

  public Reads(KeyedStore store) {
    this.store = store;
  }

  public @Nullable InputStream open(
      Connection connection, RowKey key, Steps path, @Nullable Slice slice, int window)
      throws SQLException {
    boolean whole = path.length() == 0 && slice == null && window == 0;
    if (whole && !(inRow && store.column().routines())) {
      return whole(connection, key);
    }
    if (slice == null && window == 0) {
      byte[] answer = ask(connection, store.at(key).sql(KeyedSql.READ), key, path);
      if (whole) {
        inRow = answer != null && PackedRows.isPlain(answer);
      }
      if (answer == null || answer.length > 0) {
        return answer == null ? null : text(unmarked(answer));
      }
    }
    if (whole) {
      return whole(connection, key);
    }
    return stream(connection, key, path, slice, window);
  }

  /**
   * Returns the answer of the row or of its store's routine; null if there is nothing at the path.
   */
  private byte @Nullable [] ask(Connection connection, String sql, RowKey key, Steps path)
      throws SQLException {
    Query.Parameters steps = path::bindBoth;
    return store.ask(
        connection,
        sql,
        r -> {
          if (!r.next()) {
            throw Refusals.noRow();
          }
          return r.getBytes(1);
        },
        steps,
        key);
  }

  /** Reads the rows of a value with a statement that returns any number of them. */
  private @Nullable InputStream stream(
      Connection connection, RowKey key, Steps path, @Nullable Slice slice, int window)
      throws SQLException {
    PreparedStatement s = store.prepare(connection, store.at(key).sql(KeyedSql.OPEN));
    @Nullable StoredRows rows = null;
    try {
      s.setFetchSize(window);
      s.setObject(1, slice == null ? null : Math.min(slice.from(), slice.to()), Types.BIGINT);
      int next = Query.bind(s, path.bindBoth(s, 2), key);
      s.setObject(next++, slice == null ? null : slice.from(), Types.BIGINT);
      s.setObject(next, slice == null ? null : slice.to(), Types.BIGINT);
      rows = new StoredRows(s);
      if (!rows.advance()) {
        throw Refusals.noRow();
      }
      byte[] first = rows.text;
      if (!rows.split && first != null && Markers.isMarked(first)) {
        throw new DocumentCorruptException(Refusals.NO_HEADER);
      }
      boolean notArray = slice != null && rows.children != null && rows.kind != 'a';
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
    return Query.find(
        connection,
        store.at(key).sql(KeyedSql.WHOLE),
        r -> {
          WholeRows rows = WholeRows.of(r);
          if (rows == null) {
            throw Refusals.noRow();
          }
          inRow = !rows.split;
          return StoredText.of(rows);
        },
        key);
  }

  /**
   * Reads the values at one path of many rows. One statement reads all values that are not too
   * large for it. Missing rows are skipped.
   */
  public void texts(
      Connection connection, List<RowKey> keys, Steps path, ObjIntConsumer<InputStream> take)
      throws SQLException {
    if (!store.routing().spread()) {
      all(connection, keys, path, take);
      return;
    }
    for (List<Integer> places : store.together(keys)) {
      List<RowKey> some = places.stream().map(keys::get).toList();
      all(connection, some, path, (text, i) -> take.accept(text, places.get(i)));
    }
  }

  private void all(
      Connection connection, List<RowKey> keys, Steps path, ObjIntConsumer<InputStream> take)
      throws SQLException {
    for (int place : readMany(connection, keys, path, take)) {
      RowKey key = keys.get(place);
      try (InputStream text =
          path.length() == 0 ? whole(connection, key) : stream(connection, key, path, null, 0)) {
        if (text != null) {
          take.accept(text, place);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (RowNotFoundException e) {
        // Skip missing rows.
      } catch (DocumentCorruptException e) {
        throw SqlErrors.at(
            e, store.column().describe() + ", key " + String.join(", ", key.values()));
      }
    }
  }

  /**
   * Reads the values that fit into one statement; returns the positions of the keys with larger
   * values.
   */
  private List<Integer> readMany(
      Connection connection, List<RowKey> keys, Steps path, ObjIntConsumer<InputStream> take)
      throws SQLException {
    Query.Parameters steps = path::bindBoth;
    return Objects.requireNonNull(
        store.ask(
            connection,
            store.at(keys.get(0)).sql(KeyedSql.READ_MANY),
            r -> {
              List<Integer> large = new ArrayList<>();
              while (r.next()) {
                byte[] answer = r.getBytes(1);
                int place = r.getInt(2) - 1;
                if (answer != null && answer.length == 0) {
                  large.add(place);
                } else if (answer != null) {
                  take.accept(text(unmarked(answer)), place);
                }
              }
              return large;
            },
            steps,
            Query.keys(keys)));
  }

  /**
   * Returns the answer; throws an exception if its text has markers, which a read never returns if
   * the header exists.
   */
  private static byte[] unmarked(byte[] answer) {
    if (PackedRows.isPlain(answer) && Markers.isMarked(answer)) {
      throw new DocumentCorruptException(Refusals.NO_HEADER);
    }
    return answer;
  }

  /** Opens the JSON text of a value from an answer of the store's routine or of the extension. */
  public static InputStream text(byte[] answer) {
    return PackedRows.text(answer);
  }

  private static void close(PreparedStatement statement, Exception reason) {
    try {
      statement.close();
    } catch (SQLException closing) {
      reason.addSuppressed(closing);
    }
  }

  public Optional<JsonInfo> describe(Connection connection, RowKey key, Steps path, boolean size)
      throws SQLException {
    byte[] found =
        ask(
            connection,
            size ? store.at(key).sql(KeyedSql.SIZE_OF) : store.at(key).sql(KeyedSql.TYPE_OF),
            key,
            path);
    return found == null ? Optional.empty() : info(new String(found, StandardCharsets.US_ASCII));
  }

  /** Reads a type, or a type and a size; empty text means that there is nothing at the path. */
  public static Optional<JsonInfo> info(String found) {
    if (found.isEmpty()) {
      return Optional.empty();
    }
    int space = found.indexOf(' ');
    return Optional.of(
        space < 0
            ? new JsonInfo(JsonType.named(found), -1)
            : new JsonInfo(
                JsonType.named(found.substring(0, space)),
                Long.parseLong(found.substring(space + 1))));
  }

  public Optional<List<String>> keys(
      Connection connection, RowKey key, Steps path, @Nullable String after, int limit)
      throws SQLException {
    Query.Parameters steps = path::bindBoth;
    return Objects.requireNonNull(
        store.ask(
            connection,
            store.at(key).sql(KeyedSql.KEYS),
            r -> {
              if (!r.next()) {
                throw Refusals.noRow();
              }
              if (!r.getBoolean(1)) {
                return Optional.empty();
              }
              List<String> keys = new ArrayList<>();
              do {
                String name = r.getString(2);
                if (name != null) {
                  keys.add(name);
                }
              } while (r.next());
              return Optional.of(keys);
            },
            steps,
            key,
            after,
            after == null ? null : KeyOrder.code(after),
            limit));
  }
}
