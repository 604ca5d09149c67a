package io.pgtoaster.blob.appendable.read;

import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.internal.Query;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Announces followers of a blob to appenders, in stores with the option {@code notify}. */
public record Followers(Store store) {
  /**
   * Announces a follower for the next 30 seconds. Requires autocommit mode.
   *
   * @return payload of the expected notifications, or null if the store sends none
   */
  public @Nullable String follow(Connection connection, AppendablePin pinned) throws SQLException {
    if (!store.options().notifyFollowers()) {
      return null;
    }
    Boolean known = isKnown(connection, pinned);
    if (known == null) {
      Query.update(connection, store.sql(BlobSql.FOLLOW), pinned.blob());
    } else if (!known) {
      Query.update(connection, store.sql(BlobSql.FOLLOW_ON), pinned.blob(), pinned.blob());
    }
    return Long.toString(pinned.blob().id());
  }

  /** Returns null if there is no row, and false if the row expires soon. */
  private @Nullable Boolean isKnown(Connection connection, AppendablePin pinned)
      throws SQLException {
    return Query.first(
        connection, store.sql(BlobSql.FOLLOWING), r -> r.getBoolean(1), pinned.blob());
  }
}
