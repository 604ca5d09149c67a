package io.pgtoaster.blob.appendable.read;

import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/** Reads from many rows in one statement, with the store's routine. */
public record ManyReader(Store store) {
  /**
   * Reads a range of each row. Reads nothing in a store with checksums, which only the client can
   * check, row by row.
   *
   * @return the positions of the rows that were not read
   */
  public List<Integer> readAll(
      Connection connection, List<RowKey> keys, long offset, int count, ObjIntConsumer<byte[]> take)
      throws SQLException {
    if (store.options().crc32c() || !store.column().routines() || store.column().distributed()) {
      return all(keys);
    }
    return Query.read(
        connection,
        store.sql(BlobSql.READ_MANY),
        r -> {
          List<Integer> rest = new ArrayList<>();
          while (r.next()) {
            int place = r.getInt(1) - 1;
            switch (r.getString(2)) {
              case "applied" -> take.accept(r.getBytes(3), place);
              case "offset" -> take.accept(new byte[0], place);
              case "null" -> {}
              default -> rest.add(place);
            }
          }
          return rest;
        },
        Store.BINARY,
        Query.keys(keys),
        offset,
        count);
  }

  /**
   * Returns the length of each row.
   *
   * @return the positions of the rows whose content is missing or damaged
   */
  public List<Integer> lengths(Connection connection, List<RowKey> keys, ObjIntConsumer<Long> take)
      throws SQLException {
    if (store.column().distributed()) {
      return all(keys);
    }
    return Query.read(
        connection,
        store.sql(BlobSql.LENGTHS),
        r -> {
          List<Integer> rest = new ArrayList<>();
          while (r.next()) {
            int place = r.getInt(1) - 1;
            long length = r.getLong(2);
            if (r.wasNull() || length < 0) {
              rest.add(place);
            } else {
              take.accept(length, place);
            }
          }
          return rest;
        },
        Query.keys(keys));
  }

  private static List<Integer> all(List<RowKey> keys) {
    return IntStream.range(0, keys.size()).boxed().toList();
  }
}
