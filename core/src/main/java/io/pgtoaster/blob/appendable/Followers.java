package io.pgtoaster.blob.appendable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Lets appenders know that somebody follows a blob, in stores with the option {@code notify}. */
record Followers(Store store) {
  /**
   * Says that somebody follows a blob for the next while; in autocommit mode.
   *
   * @return payload of the notifications to expect, or null if there will be none
   */
  @Nullable String follow(Connection connection, AppendablePin pinned) throws SQLException {
    if (!store.options().notifyFollowers()) {
      return null;
    }
    Boolean known = isKnown(connection, pinned);
    if (known == null) {
      execute(connection, store.sql().follow, pinned, 1);
    } else if (!known) {
      execute(connection, store.sql().followOn, pinned, 2);
    }
    return Long.toString(pinned.blob().id());
  }

  /** Null without a row, false if it expires soon. */
  private @Nullable Boolean isKnown(Connection connection, AppendablePin pinned)
      throws SQLException {
    try (PreparedStatement s = Store.prepare(connection, store.sql().following)) {
      pinned.blob().bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? (Boolean) r.getBoolean(1) : null;
      }
    }
  }

  private static void execute(
      Connection connection, String sql, AppendablePin pinned, int occurrences)
      throws SQLException {
    try (PreparedStatement s = Store.prepare(connection, sql)) {
      int next = 1;
      for (int i = 0; i < occurrences; i++) {
        next = pinned.blob().bind(s, next);
      }
      s.executeUpdate();
    }
  }
}
