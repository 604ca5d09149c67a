package io.pgtoaster.jsonb.keyed;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Leaves beside the one that is being changed. */
record Siblings(KeyedStore store, Connection connection, Locks locks, long document) {
  /** Locks a node, then reads it; null if it is gone. */
  @Nullable Node lock(long id) throws SQLException {
    if (locks.node(document, id) == null) {
      return null;
    }
    try (PreparedStatement s = connection.prepareStatement(store.sql().node)) {
      s.setLong(1, document);
      s.setLong(2, id);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? Node.read(r) : null;
      }
    }
  }
}
