package io.pgtoaster.hibernate.blob;

import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.ContentMapping;
import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;

/** Recognises attributes of type {@link AppendableBlob}. */
public final class BlobMapping implements ContentMapping {
  /** Creates the mapping. */
  public BlobMapping() {}

  @Override
  public @Nullable ContentKind kind(Class<?> type, AnnotatedElement member) {
    return type == AppendableBlob.class
        ? BlobKind.of(member.getAnnotation(AppendableColumn.class))
        : null;
  }
}
