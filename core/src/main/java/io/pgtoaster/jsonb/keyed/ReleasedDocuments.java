package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.GcRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes released documents that are too large for one transaction, in batches of nodes.
 *
 * @param prefix the qualified prefix of the store's table names
 */
record ReleasedDocuments(GcRun run, String prefix) {
  private static final int BATCH_NODES = 10_000;
  private static final String LEAD =
      """
      SELECT l.attname, pgtoaster.lead_operator(s.id)
      FROM (SELECT CAST(? AS integer) AS id) s CROSS JOIN LATERAL pgtoaster.lead_attribute(s.id) l
      """;

  /**
   * A released document.
   *
   * @param lead a condition on the leading key of its nodes, which ends in AND; or empty
   */
  private record Item(long id, long bytes, String since, String lead) {}

  /** The column of the nodes' leading key, and the operator that compares it. */
  private record Lead(String column, String operator) {
    String is(String of, String value) {
      return of + column + " " + operator + " " + value + " AND ";
    }
  }

  void collect() {
    for (Item item : run.<List<Item>>transaction(this::list)) {
      if (!run.dryRun()) {
        sweep(item);
      }
      run.found("garbage", item.id(), item.bytes(), "content released at " + item.since());
    }
  }

  private List<Item> list(Connection connection) throws SQLException {
    Lead lead =
        Query.first(connection, LEAD, r -> new Lead(r.getString(1), r.getString(2)), run.store());
    return Query.list(
        connection,
        """
        SELECT g.id, (SELECT coalesce(pg_catalog.sum(greatest(n.bytes, 0)), 0)
                      FROM %1$snode n WHERE %2$s n.doc = g.id),
               CAST(g.at AS text), %3$s
        FROM %1$sgarbage g WHERE g.released ORDER BY g.id\
        """
            .formatted(
                prefix,
                lead == null ? "" : lead.is("n.", "g." + lead.column),
                lead == null ? "NULL" : "CAST(g." + lead.column + " AS text)"),
        r -> {
          String of = lead == null ? "" : lead.is("", Identifiers.literal(r.getString(4)));
          return new Item(r.getLong(1), r.getLong(2), r.getString(3), of);
        });
  }

  private void sweep(Item item) {
    boolean more = true;
    while (more) {
      more = run.<Boolean>transaction(c -> deleteNodes(c, item));
    }
    String sql = "DELETE FROM " + prefix + "garbage WHERE " + item.lead() + "id = ?";
    run.<Integer>transaction(c -> Query.update(c, sql, item.id()));
  }

  private boolean deleteNodes(Connection connection, Item item) throws SQLException {
    String sql =
        """
        DELETE FROM %1$snode WHERE %3$sdoc = ?
          AND id <= (SELECT pg_catalog.max(b.id) FROM (SELECT n.id FROM %1$snode n WHERE %3$sn.doc = ? ORDER BY n.id LIMIT %2$d) b)\
        """
            .formatted(prefix, BATCH_NODES, item.lead());
    return Query.update(connection, sql, item.id(), item.id()) > 0;
  }
}
