package io.pgtoaster.internal.column;

import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.GcRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects blobs and documents that no row references. It lists them, then checks them again under
 * their lock, batch by batch.
 *
 * @param run of gc
 * @param kind name for one item of content
 * @param function qualified name of the SQL function that lists the content; its arguments are the
 *     store, the grace period, and the ids to check or NULL for all
 */
public record UnreferencedContent(GcRun run, String kind, String function) {
  private static final int BATCH_ITEMS = 100;
  private static final long BATCH_BYTES = 256L << 20;

  private record Item(long id, long bytes, String created) {}

  /** Runs the collection. */
  public void collect() {
    List<Item> found = run.<List<Item>>transaction(this::list);
    if (run.dryRun()) {
      found.forEach(this::tell);
      return;
    }
    int from = 0;
    while (from < found.size()) {
      int to = from;
      long bytes = 0;
      do {
        bytes += found.get(to++).bytes();
      } while (to < found.size() && to - from < BATCH_ITEMS && bytes < BATCH_BYTES);
      List<Item> batch = found.subList(from, to);
      Set<Long> gone = run.<Set<Long>>transaction(c -> release(c, batch));
      batch.stream().filter(item -> gone.contains(item.id())).forEach(this::tell);
      from = to;
    }
  }

  private void tell(Item item) {
    run.found(kind, item.id(), item.bytes(), "no row references it; created " + item.created());
  }

  private List<Item> list(Connection connection) throws SQLException {
    return Query.list(
        connection,
        "SELECT g.id, g.bytes, CAST(g.created_at AS text) FROM "
            + function
            + "(?, CAST(? AS interval)) g",
        r -> new Item(r.getLong(1), r.getLong(2), r.getString(3)),
        run.store(),
        run.grace().toString());
  }

  private Set<Long> release(Connection connection, List<Item> batch) throws SQLException {
    Long[] ids = batch.stream().map(Item::id).toArray(Long[]::new);
    record Candidate(long id, @Nullable String leadingKey) {}
    List<Candidate> candidates =
        Query.list(
            connection,
            "SELECT g.id, g.leading_key FROM " + function + "(?, CAST(? AS interval), ?) g",
            r -> new Candidate(r.getLong(1), r.getString(2)),
            run.store(),
            run.grace().toString(),
            connection.createArrayOf("int8", ids));
    Set<Long> gone = new HashSet<>();
    for (Candidate c : candidates) {
      String sql = "SELECT pgtoaster.release(?, ?, ?)";
      if (Query.is(connection, sql, run.store(), c.id(), c.leadingKey())) {
        gone.add(c.id());
      }
    }
    return gone;
  }
}
