package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.ContentMapping;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Recognises attributes of type {@link KeyedJson}, and those with a {@link KeyedColumn}. */
public final class DocumentMapping implements ContentMapping {
  /** Creates the mapping. */
  public DocumentMapping() {}

  @Override
  public @Nullable ContentKind kind(Class<?> type, AnnotatedElement member) {
    KeyedColumn options = member.getAnnotation(KeyedColumn.class);
    Type declared = declared(member);
    if (type != KeyedJson.class) {
      return options == null ? null : new MappedKind(declared, ColumnSettings.of(options));
    }
    Type document =
        declared instanceof ParameterizedType parameterized
            ? parameterized.getActualTypeArguments()[0]
            : Object.class;
    return new DocumentKind(document, ColumnSettings.of(options));
  }

  private static Type declared(AnnotatedElement member) {
    return member instanceof Field field
        ? field.getGenericType()
        : member instanceof Method method ? method.getGenericReturnType() : Object.class;
  }
}
