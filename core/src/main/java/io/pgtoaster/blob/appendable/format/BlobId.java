package io.pgtoaster.blob.appendable.format;

import io.pgtoaster.internal.Query;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one blob of a store.
 *
 * @param leadingKey text form of the leading key, or null in a store without one
 * @param id the handle
 */
public record BlobId(@Nullable String leadingKey, long id) implements Query.Parameters {
  /** Binds the leading key, if any, and the id; returns the number of the next parameter. */
  @Override
  public int bind(PreparedStatement statement, int first) throws SQLException {
    int next = first;
    if (leadingKey != null) {
      statement.setObject(next++, leadingKey, Types.OTHER);
    }
    statement.setLong(next++, id);
    return next;
  }
}
