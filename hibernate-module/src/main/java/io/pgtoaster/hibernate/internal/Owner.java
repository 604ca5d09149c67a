package io.pgtoaster.hibernate.internal;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * The entity that an attribute's value belongs to, in a session or stateless session.
 *
 * @param id identifier; null before a database has generated it
 */
public record Owner(
    SharedSessionContractImplementor session,
    EntityPersister persister,
    @Nullable Object id,
    Object entity) {

  public static Owner of(
      SharedSessionContractImplementor session, Object entity, EntityEntry entry) {
    return new Owner(session, entry.getPersister(), entry.getId(), entity);
  }

  /**
   * Returns the entry of the entity in its session; null if the session does not manage the entity,
   * as in a stateless session.
   */
  public @Nullable EntityEntry entry() {
    return session.isOpenOrWaitingForAutoClose()
        ? session.getPersistenceContextInternal().getEntry(entity)
        : null;
  }

  /** Returns whether the session manages the entity, and its row exists. */
  public boolean exists() {
    EntityEntry entry = entry();
    return entry != null && entry.isExistsInDatabase();
  }

  /** Returns the key of the owner's row, in the form that a column's handle accepts. */
  public RowKey key(AttachedColumn column) {
    Map<String, Object> values = new HashMap<>();
    List<Object> inOrder = new ArrayList<>();
    persister
        .getIdentifierMapping()
        .breakDownJdbcValues(
            id,
            (index, value, selectable) -> {
              values.put(Names.exact(selectable.getSelectionExpression()), value);
              inOrder.add(value);
            },
            session);
    List<KeyColumn> key = column.key();
    if (key.size() != inOrder.size()) {
      throw new RowNotFoundException(
          column.describe()
              + " is addressed by "
              + key.stream().map(KeyColumn::name).toList()
              + ", but the identifier of "
              + persister.getEntityName()
              + " has "
              + inOrder.size()
              + " columns; attach the column with the option key, set to the index of the"
              + " identifier");
    }
    // The table of a subclass may name its key columns differently, in the same order.
    boolean named = key.stream().allMatch(k -> values.containsKey(k.name()));
    return column.rowKey(named ? key.stream().map(k -> values.get(k.name())).toList() : inOrder);
  }

  public String describe() {
    return persister.getEntityName() + "#" + id;
  }
}
