package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The stored rows of one blob in an appendable column.
 *
 * @param chunkRows number of large chunks
 * @param pieceRows number of small chunks, which compact merges
 * @param storedBytes size of the data in both, as stored
 */
record StoredSize(long chunkRows, long pieceRows, long storedBytes) {
  static Optional<StoredSize> of(Database database, AttachedColumn column, List<String> row)
      throws SQLException {
    if (!column.toaster().equals(BlobOptions.TOASTER)) {
      return Optional.empty();
    }
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement s = connection.prepareStatement(sql(column))) {
      column.bind(s, 1, new RowKey(row));
      try (ResultSet r = s.executeQuery()) {
        return r.next()
            ? Optional.of(new StoredSize(r.getLong(1), r.getLong(2), r.getLong(3) + r.getLong(4)))
            : Optional.empty();
      }
    }
  }

  private static String sql(AttachedColumn column) {
    return "SELECT c.n, p.n, c.bytes, p.bytes FROM "
        + column.quotedTable()
        + " o"
        + part(column, "chunk", "c")
        + part(column, "piece", "p")
        + " WHERE "
        + column.rowCondition();
  }

  private static String part(AttachedColumn column, String part, String alias) {
    @Nullable KeyColumn leading = column.leadingKey();
    return " CROSS JOIN LATERAL (SELECT pg_catalog.count(*) AS n,"
        + " coalesce(pg_catalog.sum(pg_catalog.pg_column_size(d.data)), 0) AS bytes"
        + " FROM "
        + column.storeTable(part)
        + " d WHERE d.blob_id = o."
        + column.quotedColumn()
        + (leading == null
            ? ""
            : " AND " + leading.compared("d.leading_key", "=", "o." + leading.quoted()))
        + ") "
        + alias;
  }

  void addTo(Map<String, @Nullable Object> facts) {
    facts.put("chunk_rows", chunkRows);
    facts.put("piece_rows", pieceRows);
    facts.put("stored_bytes", storedBytes);
  }
}
