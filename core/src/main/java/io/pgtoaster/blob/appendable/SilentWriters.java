package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.GcRun;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens of writers with a UUID of version 7 that were silent for longer than the horizon. */
final class SilentWriters {
  private static final String SILENT =
      "at < now() - CAST(? AS interval) AND substring(CAST(writer AS text) FROM 15 FOR 1) = '7'";

  private final GcRun run;
  private final GcStore store;

  SilentWriters(GcRun run, GcStore store) {
    this.run = run;
    this.store = store;
  }

  private record Silent(long blob, @Nullable String leadingKey, long writers) {}

  void collect() {
    String horizon = run.tokenHorizon().toString();
    for (Silent silent : run.<List<Silent>>transaction(c -> list(c, horizon))) {
      long writers =
          run.dryRun() ? silent.writers : run.<Integer>transaction(c -> forget(c, silent, horizon));
      if (writers > 0) {
        run.found("token", silent.blob, 0, "tokens of silent writers: " + writers);
      }
    }
  }

  private List<Silent> list(Connection connection, String horizon) throws SQLException {
    List<Silent> found = new ArrayList<>();
    try (PreparedStatement s =
        connection.prepareStatement(
            "SELECT blob_id, "
                + store.leadingKeyText()
                + " AS lk, count(*) FROM "
                + store.part("token")
                + " WHERE "
                + SILENT
                + " GROUP BY blob_id, lk ORDER BY blob_id")) {
      s.setString(1, horizon);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          found.add(new Silent(r.getLong(1), r.getString(2), r.getLong(3)));
        }
      }
    }
    return found;
  }

  /** The head first: its lock keeps a writer that comes back from appending meanwhile. */
  private int forget(Connection connection, Silent silent, String horizon) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "UPDATE "
                + store.part("head")
                + " SET tokens_since = greatest(tokens_since, now() - CAST(? AS interval)) WHERE "
                + store.leadingKeyIs()
                + "id = ?")) {
      s.setString(1, horizon);
      s.setLong(store.bind(s, 2, silent.leadingKey), silent.blob);
      s.executeUpdate();
    }
    try (PreparedStatement s =
        connection.prepareStatement(
            "DELETE FROM "
                + store.part("token")
                + " WHERE "
                + store.leadingKeyIs()
                + "blob_id = ? AND "
                + SILENT)) {
      int next = store.bind(s, 1, silent.leadingKey);
      s.setLong(next, silent.blob);
      s.setString(next + 1, horizon);
      return s.executeUpdate();
    }
  }
}
