package io.pgtoaster.hibernate.internal;

import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;

/** Recognises the attributes of one kind. */
public interface ContentMapping {
  /**
   * Returns how an attribute is stored; null if this mapping does not handle it.
   *
   * @param member the field or the getter
   */
  @Nullable ContentKind kind(Class<?> type, AnnotatedElement member);
}
