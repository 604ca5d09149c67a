package io.pgtoaster;

import io.pgtoaster.GarbageCollection.Store;
import io.pgtoaster.internal.Connections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Documents that were given up and are too large to go at once: swept node by node, in batches. */
final class LeftoverDocuments {
  private static final int BATCH_NODES = 10_000;

  private final Connections connections;
  private final Store store;

  LeftoverDocuments(Connections connections, Store store) {
    this.connections = connections;
    this.store = store;
  }

  List<GcItem> collect(GcOptions options) {
    List<GcItem> items = connections.<List<GcItem>>read(this::list);
    if (!options.dryRun()) {
      for (GcItem item : items) {
        sweep(item.id());
      }
    }
    return items;
  }

  private List<GcItem> list(Connection connection) throws SQLException {
    List<GcItem> found = new ArrayList<>();
    try (PreparedStatement s =
            connection.prepareStatement(
                "SELECT g.id, (SELECT coalesce(sum(n.bytes), 0) FROM "
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
      more = connections.<Boolean>inTransaction(true, c -> deleteNodes(c, document));
    }
    connections.<Integer>inTransaction(
        true,
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
