package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.GcRun;
import io.pgtoaster.internal.Query;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Documents that were released and are too large to go at once: swept node by node, in batches. */
final class ReleasedDocuments {
  private static final int BATCH_NODES = 10_000;

  private final GcRun run;
  private final String prefix;

  /**
   * Takes a store.
   *
   * @param prefix what the names of its tables begin with, qualified
   */
  ReleasedDocuments(GcRun run, String prefix) {
    this.run = run;
    this.prefix = prefix;
  }

  private record Item(long id, long bytes, String since) {}

  void collect() {
    for (Item item : run.<List<Item>>transaction(this::list)) {
      if (!run.dryRun()) {
        sweep(item.id());
      }
      run.found("garbage", item.id(), item.bytes(), "content released at " + item.since());
    }
  }

  private List<Item> list(Connection connection) throws SQLException {
    return Query.list(
        connection,
        """
        SELECT g.id, (SELECT coalesce(sum(greatest(n.bytes, 0)), 0) FROM %1$snode n WHERE n.doc = g.id), CAST(g.at AS text)
        FROM %1$sgarbage g WHERE g.released ORDER BY g.id\
        """
            .formatted(prefix),
        r -> new Item(r.getLong(1), r.getLong(2), r.getString(3)));
  }

  private void sweep(long document) {
    boolean more = true;
    while (more) {
      more = run.<Boolean>transaction(c -> deleteNodes(c, document));
    }
    run.<Integer>transaction(
        c -> Query.update(c, "DELETE FROM " + prefix + "garbage WHERE id = ?", document));
  }

  private boolean deleteNodes(Connection connection, long document) throws SQLException {
    String sql =
        """
        DELETE FROM %1$snode WHERE doc = ?
          AND id <= (SELECT max(b.id) FROM (SELECT n.id FROM %1$snode n WHERE n.doc = ? ORDER BY n.id LIMIT %2$d) b)\
        """
            .formatted(prefix, BATCH_NODES);
    return Query.update(connection, sql, document, document) > 0;
  }
}
