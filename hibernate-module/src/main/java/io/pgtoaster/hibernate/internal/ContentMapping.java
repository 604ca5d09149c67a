package io.pgtoaster.hibernate.internal;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;

/** Recognizes the attributes of one kind. */
public interface ContentMapping {
  /**
   * Returns the type of the annotation that holds an attribute's options.
   *
   * @return the annotation's type
   */
  Class<? extends Annotation> options();

  /**
   * Returns how an attribute is written.
   *
   * @param type Java type of the attribute
   * @param member the field or the getter
   * @return its kind; null if it is none of ours
   */
  @Nullable ContentKind kind(Class<?> type, AnnotatedElement member);
}
