package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.GcRun;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Documents that were given up and are too large to go at once: swept node by node, in batches. */
final class GivenUpDocuments {
  private static final int BATCH_NODES = 10_000;

  private final GcRun run;
  private final String prefix;

  /**
   * Takes a store.
   *
   * @param prefix what the names of its tables begin with, qualified
   */
  GivenUpDocuments(GcRun run, String prefix) {
    this.run = run;
    this.prefix = prefix;
  }

  private record Item(long id, long bytes, String since) {}

  void collect() {
    for (Item item : run.<List<Item>>transaction(this::list)) {
      if (!run.dryRun()) {
        sweep(item.id());
      }
      run.found("garbage", item.id(), item.bytes(), "content given up at " + item.since());
    }
  }

  private List<Item> list(Connection connection) throws SQLException {
    List<Item> found = new ArrayList<>();
    try (PreparedStatement s =
            connection.prepareStatement(
                "SELECT g.id, (SELECT coalesce(sum(greatest(n.bytes, 0)), 0) FROM "
                    + prefix
                    + "node"
                    + " n WHERE n.doc = g.id), CAST(g.at AS text) FROM "
                    + prefix
                    + "garbage"
                    + " g WHERE g.released ORDER BY g.id");
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        found.add(new Item(r.getLong(1), r.getLong(2), r.getString(3)));
      }
    }
    return found;
  }

  private void sweep(long document) {
    boolean more = true;
    while (more) {
      more = run.<Boolean>transaction(c -> deleteNodes(c, document));
    }
    run.<Integer>transaction(
        c -> {
          try (PreparedStatement s =
              c.prepareStatement("DELETE FROM " + prefix + "garbage" + " WHERE id = ?")) {
            s.setLong(1, document);
            return s.executeUpdate();
          }
        });
  }

  private boolean deleteNodes(Connection connection, long document) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "DELETE FROM "
                + prefix
                + "node"
                + " WHERE doc = ? AND id <= (SELECT max(b.id) FROM (SELECT n.id FROM "
                + prefix
                + "node"
                + " n WHERE n.doc = ? ORDER BY n.id LIMIT "
                + BATCH_NODES
                + ") b)")) {
      s.setLong(1, document);
      s.setLong(2, document);
      return s.executeUpdate() > 0;
    }
  }
}
