package io.pgtoaster;

import io.pgtoaster.GarbageCollection.Store;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Blobs and documents that no row names: listed, then judged again under their lock, batch by
 * batch.
 */
final class UnnamedContent {
  private static final int BATCH_ITEMS = 100;
  private static final long BATCH_BYTES = 256L << 20;

  private final GcTransactions transactions;
  private final Store store;

  UnnamedContent(GcTransactions transactions, Store store) {
    this.transactions = transactions;
    this.store = store;
  }

  void collect(GcOptions options, List<GcItem> items) {
    List<GcItem> found = transactions.<List<GcItem>>run(c -> list(c, options.grace()));
    if (options.dryRun()) {
      items.addAll(found);
      return;
    }
    int from = 0;
    while (from < found.size()) {
      int to = from;
      long bytes = 0;
      do {
        bytes += found.get(to++).bytes();
      } while (to < found.size() && to - from < BATCH_ITEMS && bytes < BATCH_BYTES);
      List<GcItem> batch = found.subList(from, to);
      Set<Long> gone = transactions.<Set<Long>>run(c -> release(c, batch, options.grace()));
      batch.stream().filter(item -> gone.contains(item.id())).forEach(items::add);
      from = to;
    }
  }

  private List<GcItem> list(Connection connection, Duration grace) throws SQLException {
    List<GcItem> found = new ArrayList<>();
    try (PreparedStatement s =
        connection.prepareStatement(
            "SELECT g.id, g.bytes, CAST(g.created_at AS text)"
                + " FROM "
                + store.unnamed()
                + "(?, CAST(? AS interval)) g")) {
      s.setInt(1, store.id());
      s.setString(2, grace.toString());
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          found.add(
              new GcItem(
                  store.id(),
                  store.contentKind(),
                  r.getLong(1),
                  r.getLong(2),
                  "no row names it; created " + r.getString(3)));
        }
      }
    }
    return found;
  }

  private Set<Long> release(Connection connection, List<GcItem> batch, Duration grace)
      throws SQLException {
    Array ids =
        connection.createArrayOf("int8", batch.stream().map(GcItem::id).toArray(Long[]::new));
    Map<Long, Optional<String>> candidates = new HashMap<>();
    try (PreparedStatement s =
        connection.prepareStatement(
            "SELECT g.id, g.leading_key FROM "
                + store.unnamed()
                + "(?, CAST(? AS interval), ?) g")) {
      s.setInt(1, store.id());
      s.setString(2, grace.toString());
      s.setArray(3, ids);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          candidates.put(r.getLong(1), Optional.ofNullable(r.getString(2)));
        }
      }
    } finally {
      ids.free();
    }
    Set<Long> gone = new HashSet<>();
    try (PreparedStatement s = connection.prepareStatement("SELECT pgtoaster.release(?, ?, ?)")) {
      for (Map.Entry<Long, Optional<String>> candidate : candidates.entrySet()) {
        long id = candidate.getKey();
        s.setInt(1, store.id());
        s.setLong(2, id);
        s.setString(3, candidate.getValue().orElse(null));
        try (ResultSet r = s.executeQuery()) {
          if (r.next() && r.getBoolean(1)) {
            gone.add(id);
          }
        }
      }
    }
    return gone;
  }
}
