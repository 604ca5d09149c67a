package io.pgtoaster.postgrespro;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonVtable;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/**
 * The operations of stock SQL on one column, each protected by a guard.
 *
 * @param guarded operations whose edits check whether they may write
 * @param stock operations whose edits do not check
 * @param guard guard of the column
 */
record GuardedDocuments(JsonVtable guarded, JsonVtable stock, Guard guard) implements JsonVtable {
  @Override
  public @Nullable InputStream open(
      Connection connection, RowKey key, DocumentPath path, @Nullable Slice slice, int window)
      throws SQLException {
    return guard
        .<Optional<InputStream>>read(
            connection, c -> Optional.ofNullable(stock.open(c, key, path, slice, window)))
        .orElse(null);
  }

  @Override
  public void texts(
      Connection connection, List<RowKey> keys, DocumentPath path, ObjIntConsumer<InputStream> take)
      throws SQLException {
    guard.<Boolean>read(
        connection,
        c -> {
          stock.texts(c, keys, path, take);
          return true;
        });
  }

  @Override
  public Optional<JsonInfo> describe(
      Connection connection, RowKey key, DocumentPath path, boolean size) throws SQLException {
    return guard.<Optional<JsonInfo>>read(connection, c -> stock.describe(c, key, path, size));
  }

  @Override
  public Optional<List<String>> keys(
      Connection connection, RowKey key, DocumentPath path, @Nullable String after, int limit)
      throws SQLException {
    return guard.<Optional<List<String>>>read(
        connection, c -> stock.keys(c, key, path, after, limit));
  }

  @Override
  public Optional<Edited> tryEdit(Connection connection, RowKey key, JsonEdit edit)
      throws SQLException {
    return guard.<Optional<Edited>>read(connection, c -> guarded.tryEdit(c, key, edit));
  }

  @Override
  public Edited edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException {
    return guard.<Edited>write(connection, c -> stock.edit(c, key, edit));
  }

  @Override
  public PutResult put(Connection connection, RowKey key, JsonParser document) throws SQLException {
    return guard.<PutResult>write(connection, c -> stock.put(c, key, document));
  }

  @Override
  public void clear(Connection connection, RowKey key) throws SQLException {
    guard.<Boolean>write(
        connection,
        c -> {
          stock.clear(c, key);
          return true;
        });
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    return stock.compact(connection, key);
  }

  /** Reads the whole document, which reveals damage by VACUUM FULL. */
  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    @Nullable InputStream unused = open(connection, key, DocumentPath.root(), null, 0);
    return List.of();
  }

  @Override
  public Optional<DocumentStat> stat(Connection connection, RowKey key) throws SQLException {
    return guard.<Optional<DocumentStat>>read(connection, c -> stock.stat(c, key));
  }
}
