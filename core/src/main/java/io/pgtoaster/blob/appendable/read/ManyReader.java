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

/** Reads from many rows in one statement, by the store's routine. */
public record ManyReader(Store store) {
  /**
   * Reads a range of each row. The client checks the checksums of a store, so it reads each row by
   * itself there.
   *
   * @return the places of the rows that were not read
   */
  public List<Integer> readAll(
      Connection connection, List<RowKey> keys, long offset, int count, ObjIntConsumer<byte[]> take)
      throws SQLException {
    if (store.options().crc32c() || !store.column().routines() || store.column().distributed()) {
      return all(keys);
    }
    Query.Parameters listed = (s, first) -> RowKey.bindAll(s, first, keys);
    return Query.read(
        connection,
        store.sql(BlobSql.READ_MANY),
        r -> {
          List<Integer> rest = new ArrayList<>();
          while (r.next()) {
            int place = r.getInt(1) - 1;
            String outcome = r.getString(2);
            if (outcome.equals("applied")) {
              take.accept(r.getBytes(3), place);
            } else if (!outcome.equals("null")) {
              rest.add(place);
            }
          }
          return rest;
        },
        listed,
        offset,
        count);
  }

  /**
   * Returns the length of each row.
   *
   * @return the places of the rows whose content is missing
   */
  public List<Integer> lengths(Connection connection, List<RowKey> keys, ObjIntConsumer<Long> take)
      throws SQLException {
    if (store.column().distributed()) {
      return all(keys);
    }
    Query.Parameters listed = (s, first) -> RowKey.bindAll(s, first, keys);
    return Query.read(
        connection,
        store.sql(BlobSql.LENGTHS),
        r -> {
          List<Integer> rest = new ArrayList<>();
          while (r.next()) {
            int place = r.getInt(1) - 1;
            long length = r.getLong(2);
            if (r.wasNull()) {
              rest.add(place);
            } else {
              take.accept(length, place);
            }
          }
          return rest;
        },
        listed);
  }

  private static List<Integer> all(List<RowKey> keys) {
    return IntStream.range(0, keys.size()).boxed().toList();
  }
}
