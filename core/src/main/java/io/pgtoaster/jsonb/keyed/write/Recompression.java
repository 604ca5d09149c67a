package io.pgtoaster.jsonb.keyed.write;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.jsonb.keyed.format.Header;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Locks;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the leaves of a document to the compression that its store has now. Writing them anew by
 * their content would not: what is stored already is kept as it is.
 */
public record Recompression(KeyedStore store) {
  private static final int SAMPLE = 16;

  /**
   * Compresses, or stops compressing, what is stored otherwise.
   *
   * @param connection in a transaction that is alone with the document
   * @param key of the row
   * @return number of leaves written anew
   */
  public long run(Connection connection, RowKey key) throws SQLException {
    @Nullable Long document = Header.document(new Locks(store, connection, key).row().document());
    if (document == null) {
      return 0;
    }
    String wanted = store.column().option("compression");
    long rows =
        Query.update(
            connection, store.sql(KeyedSql.RECOMPRESS), document, document, wanted, wanted);
    return wanted.equals("none") ? rows : rows + compress(connection, document);
  }

  /**
   * Compresses leaves that are stored plain; returns how many became compressed. Such a leaf is
   * either incompressible, or was written before the store compressed, and nothing tells which. So
   * some are written anew first, and all only if one of those got smaller.
   */
  private long compress(Connection connection, long document) throws SQLException {
    long before = compressed(connection, document);
    if (compress(connection, document, SAMPLE) == 0) {
      return 0;
    }
    long gained = compressed(connection, document) - before;
    if (gained == 0) {
      return 0;
    }
    compress(connection, document, Integer.MAX_VALUE);
    return compressed(connection, document) - before;
  }

  private long compress(Connection connection, long document, int limit) throws SQLException {
    return Query.update(connection, store.sql(KeyedSql.COMPRESS_SOME), document, document, limit);
  }

  private long compressed(Connection connection, long document) throws SQLException {
    return Query.list(connection, store.sql(KeyedSql.COMPRESSED), r -> r.getLong(1), document)
        .get(0);
  }
}
