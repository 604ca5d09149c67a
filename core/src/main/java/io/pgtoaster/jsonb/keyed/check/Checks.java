package io.pgtoaster.jsonb.keyed.check;

import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Verifies or measures a stored document, each in one snapshot. */
public record Checks(KeyedStore store) {
  /**
   * The number of rows to fetch at a time. A row of a long string can have a quarter of a megabyte.
   */
  private static final int FETCH_ROWS = 32;

  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (autoCommit) {
      // Use a transaction, so that the driver fetches a few rows at a time.
      connection.setAutoCommit(false);
    }
    try (PreparedStatement s =
        connection.prepareStatement(store.at(key).sql(KeyedSql.EVERYTHING))) {
      s.setFetchSize(FETCH_ROWS);
      Query.bind(s, 1, key);
      try (ResultSet r = s.executeQuery()) {
        Verifier verifier = new Verifier();
        while (r.next()) {
          if (r.getObject(1) == null) {
            verifier.row(r.getString(8), r.getObject(9) == null ? null : (Long) r.getLong(9));
          } else {
            verifier.node(r.getLong(9), r);
          }
        }
        return verifier.findings();
      }
    } finally {
      // A pool closes a broken connection; a rollback on it would hide the original error.
      if (autoCommit && !connection.isClosed()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }

  public Optional<DocumentStat> stat(Connection connection, RowKey key) throws SQLException {
    return Query.read(
        connection,
        store.at(key).sql(KeyedSql.STAT),
        r -> {
          if (!r.next()) {
            throw Refusals.noRow();
          }
          return r.getBoolean(1) ? Optional.empty() : Optional.of(stat(r));
        },
        key);
  }

  private DocumentStat stat(ResultSet r) throws SQLException {
    boolean split = r.getBoolean(2);
    long inline = r.getLong(3);
    long inlineMembers = r.getLong(4);
    long splitMembers = r.getLong(5);
    long leaves = r.getLong(6);
    long inner = r.getLong(7);
    long raw = r.getLong(8) + r.getLong(11);
    long stored = r.getLong(9) + inline;
    int depth = r.getInt(10);
    List<DocumentStat.Member> largest = new ArrayList<>();
    do {
      String member = r.getString(12);
      if (member != null) {
        largest.add(new DocumentStat.Member(Markers.unescape(member), r.getLong(13)));
      }
    } while (r.next());
    return new DocumentStat(
        split,
        inline,
        inlineMembers,
        splitMembers,
        leaves,
        inner,
        raw,
        stored,
        depth,
        List.copyOf(largest));
  }
}
