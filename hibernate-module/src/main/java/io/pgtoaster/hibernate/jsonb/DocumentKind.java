package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.Slot;
import java.lang.reflect.Type;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of type {@link KeyedJson}.
 *
 * @param type of the whole document
 * @param settings of the mapping
 */
record DocumentKind(Type type, ColumnSettings settings) implements JsonKind {
  @Override
  public void bind(Slot slot, Object value) {
    ((KeyedJson<?>) value).state().bind(new DocumentRow(slot));
  }

  @Override
  public Object loaded(Slot slot, Object value) {
    SharedSessionContractImplementor session = slot.session();
    KeyedJson<?> document = (KeyedJson<?>) value;
    if (session.getFactory().getSessionFactoryOptions().isQueryCacheEnabled()) {
      // The query cache may keep the value and share it with other sessions.
      document = KeyedJson.with(document.state().again(session));
    }
    bind(slot, document);
    return document;
  }

  @Override
  public @Nullable Work change(Slot slot, @Nullable Object loaded, @Nullable Object now) {
    DocumentRow place = new DocumentRow(slot);
    if (now == null) {
      return loaded == null ? null : appends -> place.clear();
    }
    DocumentState state = ((KeyedJson<?>) now).state();
    boolean other = now != loaded;
    return other || state.isChanged() ? appends -> state.write(place, other) : null;
  }

  @Override
  public Object given(Slot slot, Object value) {
    KeyedJson<?> document = (KeyedJson<?>) value;
    return document.state().ownedBy(document, slot);
  }

  @Override
  public void beforeInsert(Slot slot, Object value) {
    ((KeyedJson<?>) value).state().prepareInsert(new DocumentRow(slot));
  }

  @Override
  public void beforeUpsert(Slot slot, Object value) {
    ((KeyedJson<?>) value).state().prepareUpsert(new DocumentRow(slot));
  }

  @Override
  public boolean isUpdate(@Nullable Object now) {
    return now == null || !((KeyedJson<?>) now).state().isInserting();
  }
}
