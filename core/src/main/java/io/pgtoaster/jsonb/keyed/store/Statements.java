package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.jsonb.keyed.format.Ids;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Short statements that return nothing. */
public final class Statements {
  private Statements() {}

  public static void delete(Connection connection, String sql, long document, Ids nodes)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      s.setLong(1, document);
      s.setObject(2, nodes.literal(), Types.OTHER);
      s.executeUpdate();
    }
  }

  public static void execute(Connection connection, String sql, long document) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      s.setLong(1, document);
      s.executeUpdate();
    }
  }

  public static void updateRow(
      Connection connection, KeyedStore store, RowKey key, @Nullable String document)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().updateRow)) {
      s.setObject(1, document, Types.OTHER);
      key.bind(s, 2);
      s.executeUpdate();
    }
  }
}
