package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.io.Serializable;
import java.lang.reflect.Type;
import org.hibernate.SharedSessionContract;
import org.hibernate.annotations.Immutable;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.MutabilityPlan;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.jspecify.annotations.Nullable;

/** An attribute of one of the application's classes, stored as a document. */
final class MappedJavaType extends AbstractClassJavaType<Object> {
  private static final long serialVersionUID = 1;

  /** Marks text in the second-level cache that equals the stored one. */
  private static final char STORED = 's';

  /** Marks text that was created from an object, which may lack stored members. */
  private static final char OF_OBJECT = 'o';

  private final transient Type type;

  MappedJavaType(Type type, Class<?> raw) {
    super(asObject(raw), new Plan(type, !isImmutable(raw)));
    this.type = type;
  }

  @SuppressWarnings("unchecked")
  static Class<Object> asObject(Class<?> raw) {
    return (Class<Object>) raw;
  }

  static boolean isImmutable(Class<?> type) {
    return type.isRecord()
        || type.isEnum()
        || type.isAnnotationPresent(Immutable.class)
        || Number.class.isAssignableFrom(type)
        || type == String.class
        || type == Boolean.class;
  }

  private record Plan(Type type, boolean mutable) implements MutabilityPlan<Object> {
    @Override
    public boolean isMutable() {
      return mutable;
    }

    @Override
    public @Nullable Object deepCopy(@Nullable Object value) {
      // The entity's entry keeps the loaded value as JSON.
      return value;
    }

    @Override
    public @Nullable Serializable disassemble(
        @Nullable Object value, SharedSessionContract session) {
      if (value == null) {
        return null;
      }
      String stored = MappedKind.STORED.get(value);
      Insertion insertion = MappedKind.INSERTED.get(value);
      if (insertion != null && insertion.whole()) {
        return STORED + insertion.text();
      }
      return stored != null
          ? STORED + stored
          : OF_OBJECT + JsonbText.text(mapping(session).tree(value, type));
    }

    @Override
    public @Nullable Object assemble(@Nullable Serializable cached, SharedSessionContract session) {
      if (cached == null) {
        return null;
      }
      String text = cached.toString().substring(1);
      return read(text, type, mapping(session), cached.toString().charAt(0) == STORED);
    }

    private static ObjectMapping mapping(SharedSessionContract session) {
      return Mappers.of(((SharedSessionContractImplementor) session).getFactory());
    }
  }

  static @Nullable Object read(String text, Type type, ObjectMapping mapping, boolean stored) {
    Object value = mapping.object(Json.readStored(text), type);
    if (stored && value != null) {
      MappedKind.STORED.remember(value, text);
    }
    return value;
  }

  @Override
  public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
    return DocumentJdbcType.WHOLE;
  }

  @Override
  public <X> @Nullable X unwrap(@Nullable Object value, Class<X> wanted, WrapperOptions options) {
    if (value == null) {
      return null;
    }
    if (wanted == String.class) {
      Insertion insertion = MappedKind.INSERTED.get(value);
      return wanted.cast(
          insertion != null
              ? insertion.text()
              : JsonbText.text(mapping(options).tree(value, type)));
    }
    return wanted.cast(value);
  }

  @Override
  public <X> @Nullable Object wrap(@Nullable X value, WrapperOptions options) {
    return value instanceof String text ? read(text, type, mapping(options), true) : value;
  }

  private static ObjectMapping mapping(WrapperOptions options) {
    SessionFactoryImplementor factory = options.getSessionFactory();
    return Mappers.of(factory);
  }

  @Override
  public @Nullable Object getReplacement(
      @Nullable Object original,
      @Nullable Object target,
      SharedSessionContractImplementor session) {
    if (original == null || !getMutabilityPlan().isMutable()) {
      return original;
    }
    ObjectMapping mapping = Mappers.of(session.getFactory());
    return mapping.object(mapping.tree(original, type), type);
  }
}
