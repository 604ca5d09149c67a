package io.pgtoaster;

import io.pgtoaster.GarbageCollection.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Documents that no row owns, but that stay because rows name them by their header. */
final class KeptDocuments {
  private static final String LIST =
      """
      SELECT k.id, k.bytes,
             'no row owns it, but ' || k.relation || '.' || pg_catalog.quote_ident(k.column_name)
               || ' names it: see pgtoaster.repair'
      FROM pgtoaster.gc_kept_documents(?, CAST(? AS interval)) k
      """;

  private final GcTransactions transactions;
  private final Store store;

  KeptDocuments(GcTransactions transactions, Store store) {
    this.transactions = transactions;
    this.store = store;
  }

  List<GcItem> list(GcOptions options) {
    return transactions.<List<GcItem>>run(c -> list(c, options));
  }

  private List<GcItem> list(Connection connection, GcOptions options) throws SQLException {
    List<GcItem> found = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(LIST)) {
      s.setInt(1, store.id());
      s.setString(2, options.grace().toString());
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          found.add(new GcItem(store.id(), "kept", r.getLong(1), r.getLong(2), r.getString(3)));
        }
      }
    }
    return found;
  }
}
