package io.pgtoaster.hibernate.internal;

import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;

/** Recognizes the attributes of one kind. */
public interface ContentMapping {
  /**
   * Returns how an attribute is stored.
   *
   * @param type Java type of the attribute
   * @param member the field or the getter
   * @return the kind of the attribute; null if this mapping does not handle it
   */
  @Nullable ContentKind kind(Class<?> type, AnnotatedElement member);
}
