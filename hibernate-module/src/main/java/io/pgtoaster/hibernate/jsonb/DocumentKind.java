package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Owner;
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
  public void bind(ContentAttribute attribute, Owner owner, Object value) {
    ((KeyedJson<?>) value).state().bind(new DocumentRow(attribute, owner));
  }

  @Override
  public Object loaded(ContentAttribute attribute, Owner owner, Object value) {
    SharedSessionContractImplementor session = owner.session();
    KeyedJson<?> document = (KeyedJson<?>) value;
    if (session.getFactory().getSessionFactoryOptions().isQueryCacheEnabled()) {
      // The query cache may keep the value and share it with other sessions.
      document = KeyedJson.with(document.state().again(session));
    }
    bind(attribute, owner, document);
    return document;
  }

  @Override
  public @Nullable Runnable change(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    DocumentRow place = new DocumentRow(attribute, owner);
    if (now == null) {
      return loaded == null ? null : () -> new DocumentWriter(place).clear();
    }
    DocumentState state = ((KeyedJson<?>) now).state();
    boolean other = now != loaded;
    return other || state.isChanged() ? () -> state.write(place, other) : null;
  }

  @Override
  public Object given(ContentAttribute attribute, Owner owner, Object value) {
    KeyedJson<?> document = (KeyedJson<?>) value;
    return document.state().ownedBy(document, attribute, owner);
  }

  @Override
  public void beforeInsert(ContentAttribute attribute, Owner owner, Object value) {
    ((KeyedJson<?>) value).state().prepareInsert(new DocumentRow(attribute, owner));
  }

  @Override
  public void beforeUpsert(ContentAttribute attribute, Owner owner, Object value) {
    ((KeyedJson<?>) value).state().prepareUpsert(new DocumentRow(attribute, owner));
  }

  @Override
  public @Nullable Object before(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    return loaded == now ? null : loaded;
  }

  @Override
  public boolean isUpdate(
      ContentAttribute attribute, @Nullable Object loaded, @Nullable Object now) {
    return now == null || !((KeyedJson<?>) now).state().isInserting();
  }
}
