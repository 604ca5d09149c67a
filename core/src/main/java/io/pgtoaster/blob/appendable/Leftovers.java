package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.GcRun;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Content that was given up and is too large to go at once: swept in ranges. */
final class Leftovers {
  private static final long RANGE = 64L << 20;

  private final GcRun run;
  private final GcStore store;

  Leftovers(GcRun run, GcStore store) {
    this.run = run;
    this.store = store;
  }

  private record Leftover(long id, @Nullable String leadingKey, long bytes, String since) {}

  void collect() {
    for (Leftover leftover : run.<List<Leftover>>transaction(this::list)) {
      if (!run.dryRun()) {
        sweep(leftover);
      }
      run.found("garbage", leftover.id, leftover.bytes, "content given up at " + leftover.since);
    }
  }

  private List<Leftover> list(Connection connection) throws SQLException {
    List<Leftover> found = new ArrayList<>();
    try (PreparedStatement s =
            connection.prepareStatement(
                "SELECT id, "
                    + store.leadingKeyText()
                    + ", CAST(at AS text) FROM "
                    + store.part("garbage")
                    + " WHERE released ORDER BY id");
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        @Nullable String leadingKey = r.getString(2);
        long id = r.getLong(1);
        long bytes =
            Math.max(
                end(connection, "chunk", id, leadingKey), end(connection, "piece", id, leadingKey));
        found.add(new Leftover(id, leadingKey, bytes, r.getString(3)));
      }
    }
    return found;
  }

  /** Offset behind the last byte that is still stored. */
  private long end(Connection connection, String part, long id, @Nullable String leadingKey)
      throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "SELECT start + octet_length(data) FROM "
                + store.part(part)
                + " WHERE "
                + store.leadingKeyIs()
                + "blob_id = ? ORDER BY start DESC LIMIT 1")) {
      s.setLong(store.bind(s, 1, leadingKey), id);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? r.getLong(1) : 0;
      }
    }
  }

  private void sweep(Leftover leftover) {
    for (String part : List.of("chunk", "piece")) {
      for (long start = 0; start < leftover.bytes; start += RANGE) {
        long from = start;
        run.<Integer>transaction(
            c -> delete(c, part, "blob_id = ? AND start >= ? AND start < ?", leftover, from));
      }
    }
    run.<Integer>transaction(
        c ->
            delete(c, "chunk", "blob_id = ?", leftover, -1)
                + delete(c, "piece", "blob_id = ?", leftover, -1)
                + delete(c, "token", "blob_id = ?", leftover, -1)
                + delete(c, "garbage", "id = ?", leftover, -1));
  }

  private int delete(
      Connection connection, String part, String condition, Leftover leftover, long from)
      throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "DELETE FROM " + store.part(part) + " WHERE " + store.leadingKeyIs() + condition)) {
      int next = store.bind(s, 1, leftover.leadingKey);
      s.setLong(next, leftover.id);
      if (from >= 0) {
        s.setLong(next + 1, from);
        s.setLong(next + 2, from + RANGE);
      }
      return s.executeUpdate();
    }
  }
}
