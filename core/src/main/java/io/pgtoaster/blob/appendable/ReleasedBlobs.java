package io.pgtoaster.blob.appendable;

import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.GcRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes released content that is too large for one transaction, in ranges. */
record ReleasedBlobs(GcRun run, GcStore store) {
  private static final long RANGE = 64L << 20;

  private record Released(long id, @Nullable String leadingKey, long bytes, String since) {}

  void collect() {
    for (Released blob : run.<List<Released>>transaction(this::list)) {
      if (!run.dryRun()) {
        sweep(blob);
      }
      run.found("garbage", blob.id, blob.bytes, "content released at " + blob.since);
    }
  }

  private List<Released> list(Connection connection) throws SQLException {
    return Query.list(
        connection,
        "SELECT id, %s, CAST(at AS text) FROM %s WHERE released ORDER BY id"
            .formatted(store.leadingKeyText(), store.part("garbage")),
        r -> {
          long id = r.getLong(1);
          @Nullable String lead = r.getString(2);
          long chunks = end(connection, "chunk", id, lead);
          long pieces = end(connection, "piece", id, lead);
          return new Released(id, lead, Math.max(chunks, pieces), r.getString(3));
        });
  }

  /** Returns the offset after the last stored byte. */
  private long end(Connection connection, String part, long id, @Nullable String leadingKey)
      throws SQLException {
    String sql =
        "SELECT start + pg_catalog.octet_length(data) FROM %s WHERE %sblob_id = ? ORDER BY start DESC LIMIT 1"
            .formatted(store.part(part), store.leadingKeyIs());
    Long end = Query.first(connection, sql, r -> r.getLong(1), store.leadingKey(leadingKey), id);
    return end == null ? 0 : end;
  }

  private void sweep(Released blob) {
    for (String part : List.of("chunk", "piece")) {
      for (long start = 0; start < blob.bytes; start += RANGE) {
        long from = start;
        run.<Integer>transaction(
            c -> delete(c, part, "blob_id = ? AND start >= ? AND start < ?", blob, from));
      }
    }
    run.<Integer>transaction(
        c ->
            delete(c, "chunk", "blob_id = ?", blob, -1)
                + delete(c, "piece", "blob_id = ?", blob, -1)
                + delete(c, "token", "blob_id = ?", blob, -1)
                + delete(c, "garbage", "id = ?", blob, -1));
  }

  private int delete(Connection connection, String part, String condition, Released blob, long from)
      throws SQLException {
    Query.Parameters range =
        (s, first) -> from < 0 ? first : Query.bind(s, first, from, from + RANGE);
    return Query.update(
        connection,
        "DELETE FROM " + store.part(part) + " WHERE " + store.leadingKeyIs() + condition,
        store.leadingKey(blob.leadingKey),
        blob.id,
        range);
  }
}
