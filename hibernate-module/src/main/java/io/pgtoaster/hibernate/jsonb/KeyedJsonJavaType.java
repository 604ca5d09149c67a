package io.pgtoaster.hibernate.jsonb;

import java.io.Serializable;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.hibernate.SharedSessionContract;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.hibernate.type.spi.TypeConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Presents a {@link KeyedJson} to Hibernate as a value that never changes. pgtoaster finds and
 * writes the changes.
 */
@SuppressWarnings("rawtypes")
public final class KeyedJsonJavaType extends AbstractClassJavaType<KeyedJson> {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Type documentType;

  /** Creates the type for documents whose class is not known. */
  public KeyedJsonJavaType() {
    this(null);
  }

  private KeyedJsonJavaType(@Nullable Type documentType) {
    super(KeyedJson.class, new Plan(documentType));
    this.documentType = documentType;
  }

  /** Caches the part of the document in the row in the second-level cache. */
  private static final class Plan extends ImmutableMutabilityPlan<KeyedJson> {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Type documentType;

    Plan(@Nullable Type documentType) {
      this.documentType = documentType;
    }

    @Override
    public @Nullable Serializable disassemble(
        @Nullable KeyedJson value, SharedSessionContract session) {
      return value == null ? null : value.state().cacheable();
    }

    @Override
    public @Nullable KeyedJson assemble(
        @Nullable Serializable cached, SharedSessionContract session) {
      return cached == null
          ? null
          : KeyedJson.with(
              DocumentState.stored(
                  (String) cached, documentType, (SharedSessionContractImplementor) session));
    }
  }

  @Override
  public JavaType<KeyedJson> createJavaType(
      ParameterizedType type, TypeConfiguration typeConfiguration) {
    return new KeyedJsonJavaType(type.getActualTypeArguments()[0]);
  }

  @Override
  public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
    return DocumentJdbcType.STORED;
  }

  @Override
  public <X> @Nullable X unwrap(@Nullable KeyedJson value, Class<X> type, WrapperOptions options) {
    if (value == null) {
      return null;
    }
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    if (type.isAssignableFrom(String.class)) {
      return type.cast(
          value
              .state()
              .bound(
                  Mappers.of(options.getSessionFactory()),
                  documentType == null ? Object.class : documentType));
    }
    throw unknownUnwrap(type);
  }

  @Override
  public <X> @Nullable KeyedJson wrap(@Nullable X value, WrapperOptions options) {
    if (value == null || value instanceof KeyedJson) {
      return (KeyedJson) value;
    }
    if (value instanceof String text) {
      return KeyedJson.with(DocumentState.stored(text, documentType, options.getSession()));
    }
    throw unknownWrap(value.getClass());
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable KeyedJson getReplacement(
      @Nullable KeyedJson original,
      @Nullable KeyedJson target,
      SharedSessionContractImplementor session) {
    return original == null ? null : original.state().mergedInto(original, target);
  }
}
