package io.pgtoaster.jsonb.stock;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.MatchRows;
import io.pgtoaster.internal.column.OwnerRows;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonVtable;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/** Implements the document operations on a column whose value is the document. */
public final class StockVtable implements JsonVtable {
  private static final Query.Parameters NO_KEY = (s, first) -> first;

  private final AttachedColumn column;
  private final StockSql sql;
  private final StockRows rows;
  private final StockEdits edits;

  StockVtable(AttachedColumn column) {
    this(column, new StockSql(column, false, null));
  }

  private StockVtable(AttachedColumn column, StockSql sql) {
    this.column = column;
    this.sql = sql;
    this.rows = new StockRows(column, sql);
    this.edits = new StockEdits(sql, rows);
  }

  /**
   * Creates the operations for a toaster of the server that fetches and rewrites parts of a value.
   *
   * @param column a column of type {@code jsonb}
   * @param condition SQL condition that must be true for an edit to have an effect; null for none
   * @return thread-safe operations
   */
  public static StockVtable lazy(AttachedColumn column, @Nullable String condition) {
    return new StockVtable(column, new StockSql(column, true, condition));
  }

  @Override
  public @Nullable InputStream open(
      Connection connection, RowKey key, DocumentPath path, @Nullable Slice slice, int window)
      throws SQLException {
    Query.Rows<InputStream> text =
        r -> {
          rows.check(connection, r);
          byte @Nullable [] found = r.getBytes(2);
          return found == null ? null : new ByteArrayInputStream(found);
        };
    Query.Parameters at = StockRows.path(path);
    return slice == null
        ? StockRows.find(connection, sql.open, text, at, key)
        : StockRows.find(connection, sql.slice, text, slice.from(), slice.to(), at, key);
  }

  @Override
  public void texts(
      Connection connection, List<RowKey> keys, DocumentPath path, ObjIntConsumer<InputStream> take)
      throws SQLException {
    boolean unused =
        StockRows.<Boolean>read(
            connection,
            sql.openMany,
            r -> {
              boolean trusted = false;
              while (r.next()) {
                if (r.getBoolean(1) && !trusted) {
                  rows.requireUnattached(connection);
                  trusted = true;
                }
                byte @Nullable [] text = r.getBytes(2);
                if (text != null) {
                  take.accept(new ByteArrayInputStream(text), r.getInt(3) - 1);
                }
              }
              return trusted;
            },
            StockRows.path(path),
            Query.keys(keys));
  }

  @Override
  public List<Object> search(Connection connection, JsonSearch search, @Nullable RowKey after)
      throws SQLException {
    return Query.list(
        connection,
        after == null ? sql.search : sql.searchAfter,
        column::readKey,
        probe(search),
        after == null ? NO_KEY : after,
        search.limit());
  }

  @Override
  public List<SearchMatches> searchMatches(
      Connection connection, JsonSearch search, @Nullable RowKey after) throws SQLException {
    return Query.read(
        connection,
        after == null ? sql.searchMatches : sql.searchMatchesAfter,
        r -> MatchRows.read(column, r),
        probe(search),
        after == null ? NO_KEY : after,
        search.limit(),
        MatchRows.parameters(null, search));
  }

  private Query.Parameters probe(JsonSearch search) {
    if (search.text() != null) {
      throw noWords();
    }
    if (!search.ranges().isEmpty()) {
      throw new UnsupportedCapabilityException(
          column.name() + " is a plain column, which cannot be searched for ranges");
    }
    return Query.untyped(JsonbText.text(Objects.requireNonNull(search.probe())));
  }

  @Override
  public List<SearchHit> searchRanked(Connection connection, JsonSearch search) {
    throw noWords();
  }

  private UnsupportedCapabilityException noWords() {
    return new UnsupportedCapabilityException(
        column.name() + " is a plain column, which cannot be searched for words");
  }

  @Override
  public Optional<JsonInfo> describe(
      Connection connection, RowKey key, DocumentPath path, boolean size) throws SQLException {
    return StockRows.read(
        connection,
        size ? sql.size : sql.type,
        r -> {
          rows.check(connection, r);
          String type = r.getString(2);
          return type == null
              ? Optional.empty()
              : Optional.of(new JsonInfo(JsonType.named(type), r.getLong(3)));
        },
        StockRows.path(path),
        key);
  }

  @Override
  public Optional<List<String>> keys(
      Connection connection, RowKey key, DocumentPath path, @Nullable String after, int limit)
      throws SQLException {
    return StockRows.read(
        connection,
        sql.keys,
        r -> {
          rows.check(connection, r);
          if (!"object".equals(r.getString(2))) {
            return Optional.empty();
          }
          List<String> keys = new ArrayList<>();
          do {
            String found = r.getString(3);
            if (found != null) {
              keys.add(found);
            }
          } while (r.next());
          return Optional.of(keys);
        },
        StockRows.path(path),
        key,
        after,
        after,
        after,
        limit);
  }

  @Override
  public Optional<Edited> tryEdit(Connection connection, RowKey key, JsonEdit edit)
      throws SQLException {
    return edits.tryEdit(connection, key, edit, false);
  }

  @Override
  public Edited edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException {
    return edits.edit(connection, key, edit);
  }

  @Override
  public List<@Nullable PutResult> tryInserts(
      Connection connection, List<RowKey> keys, List<JsonParser> documents) throws SQLException {
    List<String> texts = new ArrayList<>(keys.size());
    for (JsonParser document : documents) {
      texts.add(JsonbText.text(Json.readTree(document)));
      Json.requireEnd(document);
    }
    OwnerRows.insert(connection, column, keys, texts);
    texts.forEach(text -> rows.written(text.length()));
    return Collections.nCopies(keys.size(), new PutResult(1, 0, 0));
  }

  @Override
  public PutResult put(Connection connection, RowKey key, JsonParser document) throws SQLException {
    String text = JsonbText.text(Json.readTree(document));
    int written = StockRows.update(connection, sql.put, text, key);
    if (written == 0) {
      rows.require(connection, key);
    } else {
      rows.written(text.length());
    }
    return new PutResult(written, 0, 0);
  }

  @Override
  public void clear(Connection connection, RowKey key) throws SQLException {
    if (StockRows.update(connection, sql.clear, key) == 0) {
      rows.require(connection, key);
    }
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    rows.require(connection, key);
    return 0;
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    rows.require(connection, key);
    return List.of();
  }

  @Override
  public Optional<DocumentStat> stat(Connection connection, RowKey key) throws SQLException {
    return StockRows.read(
        connection,
        sql.stat,
        r -> {
          if (!r.next()) {
            rows.require(connection, key);
            return Optional.empty();
          }
          long stored = r.getLong(1);
          return Optional.of(
              new DocumentStat(
                  false, stored, r.getLong(3), 0, 0, 0, r.getLong(2), stored, 0, List.of()));
        },
        key);
  }
}
