package io.pgtoaster.blob.appendable;

import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.GcRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the tokens of writers whose id is a UUID of version 7 and that have not appended for
 * longer than the horizon.
 */
record ExpiredTokens(GcRun run, GcStore store) {
  private static final String SILENT =
      "at < pg_catalog.now() - CAST(? AS interval) AND substring(CAST(writer AS text) FROM 15 FOR"
          + " 1) = '7'";

  private record Silent(long blob, @Nullable String leadingKey, long writers) {}

  void collect() {
    String horizon = run.tokenHorizon().toString();
    for (Silent silent : run.<List<Silent>>transaction(c -> list(c, horizon))) {
      long writers =
          run.dryRun() ? silent.writers : run.<Integer>transaction(c -> forget(c, silent, horizon));
      if (writers > 0) {
        run.found("token", silent.blob, 0, "expired tokens of writers: " + writers);
      }
    }
  }

  private List<Silent> list(Connection connection, String horizon) throws SQLException {
    return Query.list(
        connection,
        "SELECT blob_id, %s AS lk, pg_catalog.count(*) FROM %s WHERE %s GROUP BY blob_id, lk ORDER BY blob_id"
            .formatted(store.leadingKeyText(), store.part("token"), SILENT),
        r -> new Silent(r.getLong(1), r.getString(2), r.getLong(3)),
        horizon);
  }

  /**
   * Deletes a blob's expired tokens. Updates the head first, so that its lock keeps a returning
   * writer from appending meanwhile.
   */
  private int forget(Connection connection, Silent silent, String horizon) throws SQLException {
    Query.Parameters leadingKey = store.leadingKey(silent.leadingKey);
    Query.update(
        connection,
        "UPDATE %s SET tokens_since = greatest(tokens_since, pg_catalog.now() - CAST(? AS interval)) WHERE %sid = ?"
            .formatted(store.part("head"), store.leadingKeyIs()),
        horizon,
        leadingKey,
        silent.blob);
    return Query.update(
        connection,
        "DELETE FROM %s WHERE %sblob_id = ? AND %s"
            .formatted(store.part("token"), store.leadingKeyIs(), SILENT),
        leadingKey,
        silent.blob,
        horizon);
  }
}
