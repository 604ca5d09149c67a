package io.pgtoaster.hibernate.event;

import io.pgtoaster.hibernate.internal.ContentMapping;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import org.hibernate.MappingException;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Value;

/** Rejects content that is not in a column of an entity's row. */
final class Refusal {
  private Refusal() {}

  /** Rejects content at any depth of an embeddable or a collection. */
  static void check(
      List<ContentMapping> mappings, Value value, AnnotatedElement member, String path) {
    if (value instanceof BasicValue basic) {
      Class<?> type = basic.resolve().getDomainJavaType().getJavaTypeClass();
      if (mappings.stream().anyMatch(m -> m.kind(type, member) != null)) {
        throw new MappingException(
            path
                + ": content cannot be an attribute of an embeddable or in a collection; make it an"
                + " attribute of an entity");
      }
    } else if (value instanceof Component component && component.getComponentClass() != null) {
      for (Property inner : component.getProperties()) {
        check(
            mappings,
            inner.getValue(),
            Members.find(component.getComponentClass(), inner.getName()),
            path + "." + inner.getName());
      }
    } else if (value instanceof Collection collection) {
      check(mappings, collection.getElement(), member, path);
      if (collection instanceof IndexedCollection indexed && !indexed.isList()) {
        check(mappings, indexed.getIndex(), Refusal.class, path);
      }
    }
  }
}
