package io.pgtoaster.hibernate.blob;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;
import org.jspecify.annotations.Nullable;

/** Finds the row of a blob that no listener has bound to its owner. */
final class Finder {
  private static final int STORE_SHIFT = 40;

  private Finder() {}

  /** Finds the row by the entity that has the blob; if that fails, by its handle. */
  static BlobRow find(
      AppendableBlob blob, @Nullable Long handle, SharedSessionContractImplementor session) {
    BlobRow place = findEntity(blob, session);
    if (place == null && handle != null) {
      place = findRow(handle, session);
    }
    if (place == null) {
      throw new BlobStateException(
          handle == null
              ? "content in an ordinary column can be read only through its row, which is unknown"
                  + " here; select the entity instead of its attribute, in a session that is not"
                  + " stateless"
              : "no row of a mapped column references this content; load the entity again");
    }
    return place;
  }

  static @Nullable BlobRow findEntity(
      AppendableBlob blob, SharedSessionContractImplementor session) {
    return Contents.managed(session)
        .filter(slot -> isLoaded(slot, blob))
        .findFirst()
        .map(BlobRow.OfEntity::new)
        .orElse(null);
  }

  /**
   * Compares the loaded value, because another entity's blob may have been assigned to the entity
   * since.
   */
  private static boolean isLoaded(Slot slot, AppendableBlob blob) {
    EntityEntry entry = slot.owner().entry();
    Object now = slot.value();
    if (entry == null
        || entry.getStatus() == Status.GONE
        || !entry.isExistsInDatabase()
        || now == Slot.UNFETCHED) {
      return false;
    }
    // A read-only entity has no loaded state.
    return (entry.getLoadedState() == null || blob.state().isOfItsRow() ? now : slot.loaded())
        == blob;
  }

  private static @Nullable BlobRow findRow(long handle, SharedSessionContractImplementor session) {
    for (ContentAttribute attribute : Contents.of(session.getFactory()).attributes()) {
      if (!(attribute.kind() instanceof BlobKind kind) || !kind.handles()) {
        continue;
      }
      AttachedColumn column;
      try {
        column = ColumnAccess.column(attribute.blobs(session));
      } catch (ColumnNotFoundException e) {
        // A mapped table that does not exist has no rows.
        continue;
      }
      if (column.store() == handle >> STORE_SHIFT) {
        @Nullable RowKey key = findKey(column, handle, session);
        return key == null ? null : new BlobRow.OfRow(attribute, session, key);
      }
    }
    return null;
  }

  private static @Nullable RowKey findKey(
      AttachedColumn column, long handle, SharedSessionContractImplementor session) {
    List<String> keys = column.key().stream().map(KeyColumn::quoted).toList();
    String sql =
        "SELECT "
            + String.join(", ", keys.stream().map(k -> "CAST(o." + k + " AS text)").toList())
            + " FROM "
            + column.quotedTable()
            + " AS o WHERE o."
            + column.quotedColumn()
            + " = ?";
    return query(
        session,
        sql,
        s -> s.setLong(1, handle),
        r -> {
          List<String> values = new ArrayList<>();
          for (int i = 1; i <= keys.size(); i++) {
            values.add(r.getString(i));
          }
          return new RowKey(values);
        });
  }

  /** Returns the handle in a row; null if the row has none. */
  static @Nullable Long handle(
      AttachedColumn column, RowKey key, SharedSessionContractImplementor session) {
    String sql =
        "SELECT o."
            + column.quotedColumn()
            + " FROM "
            + column.quotedTable()
            + " AS o WHERE "
            + column.rowCondition()
            + " AND o."
            + column.quotedColumn()
            + " IS NOT NULL";
    return query(session, sql, s -> column.bind(s, 1, key), r -> r.getLong(1));
  }

  private interface Binding {
    void bind(PreparedStatement statement) throws SQLException;
  }

  private interface Reading<T> {
    T read(ResultSet result) throws SQLException;
  }

  private static <T> @Nullable T query(
      SharedSessionContractImplementor session, String sql, Binding binding, Reading<T> reading) {
    try (PreparedStatement s = Contents.connection(session).prepareStatement(sql)) {
      binding.bind(s);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? reading.read(r) : null;
      }
    } catch (SQLException e) {
      throw new DatabaseException("cannot look for the row of an AppendableBlob", e);
    }
  }
}
