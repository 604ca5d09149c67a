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
 * Converts the leaves of a document to the current compression of its store. A put would not do
 * this, because it keeps leaves whose content is already stored.
 */
public record Recompression(KeyedStore store) {
  private static final int SAMPLE = 16;

  /**
   * Compresses or decompresses the leaves that are stored in another form.
   *
   * @param connection a connection in a transaction with exclusive access to the document
   * @return number of leaves rewritten
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
   * Compresses leaves that are stored uncompressed; returns how many became compressed. Such a leaf
   * is either incompressible or was written before compression was enabled; the row does not show
   * which. So some leaves are rewritten first, and all others only if one of those became smaller.
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
    return Query.one(connection, store.sql(KeyedSql.COMPRESSED), r -> r.getLong(1), document);
  }
}
