package io.pgtoaster;

import io.pgtoaster.GarbageCollection.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Documents that were given up and are too large to go at once: swept node by node, in batches. */
final class LeftoverDocuments {
  private static final int BATCH_NODES = 10_000;

  private final GcTransactions transactions;
  private final Store store;

  LeftoverDocuments(GcTransactions transactions, Store store) {
    this.transactions = transactions;
    this.store = store;
  }

  void collect(GcOptions options, List<GcItem> items) {
    for (GcItem item : transactions.<List<GcItem>>run(this::list)) {
      if (!options.dryRun()) {
        sweep(item.id());
      }
      items.add(item);
    }
  }

  private List<GcItem> list(Connection connection) throws SQLException {
    List<GcItem> found = new ArrayList<>();
    try (PreparedStatement s =
            connection.prepareStatement(
                "SELECT g.id, (SELECT coalesce(sum(greatest(n.bytes, 0)), 0) FROM "
                    + store.part("node")
                    + " n WHERE n.doc = g.id), CAST(g.at AS text) FROM "
                    + store.part("garbage")
                    + " g WHERE g.released ORDER BY g.id");
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        found.add(
            new GcItem(
                store.id(),
                "garbage",
                r.getLong(1),
                r.getLong(2),
                "content given up at " + r.getString(3)));
      }
    }
    return found;
  }

  private void sweep(long document) {
    boolean more = true;
    while (more) {
      more = transactions.<Boolean>run(c -> deleteNodes(c, document));
    }
    transactions.<Integer>run(
        c -> {
          try (PreparedStatement s =
              c.prepareStatement("DELETE FROM " + store.part("garbage") + " WHERE id = ?")) {
            s.setLong(1, document);
            return s.executeUpdate();
          }
        });
  }

  private boolean deleteNodes(Connection connection, long document) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "DELETE FROM "
                + store.part("node")
                + " WHERE doc = ? AND id <= (SELECT max(b.id) FROM (SELECT n.id FROM "
                + store.part("node")
                + " n WHERE n.doc = ? ORDER BY n.id LIMIT "
                + BATCH_NODES
                + ") b)")) {
      s.setLong(1, document);
      s.setLong(2, document);
      return s.executeUpdate() > 0;
    }
  }
}
