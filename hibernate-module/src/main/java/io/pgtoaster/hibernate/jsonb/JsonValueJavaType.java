package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.internal.json.JsonbText;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.jspecify.annotations.Nullable;

/** A value of any class that is bound as its JSON. Thread-safe. */
public final class JsonValueJavaType extends AbstractClassJavaType<Object> {
  private static final long serialVersionUID = 1;

  /** The only instance. */
  public static final JsonValueJavaType INSTANCE = new JsonValueJavaType();

  /**
   * Placeholder for all classes: for {@link Object}, Hibernate uses the class of the bound value.
   */
  private interface AnyValue {}

  private JsonValueJavaType() {
    super(MappedJavaType.asObject(AnyValue.class), ImmutableMutabilityPlan.instance());
  }

  /**
   * Maps a value in the same way as documents of the session factory.
   *
   * @param value of any class that the mapper accepts; null gives the JSON null
   * @param factory determines the mapper
   * @return JSON text that {@code jsonb} accepts
   * @throws io.pgtoaster.error.InvalidJsonException if the value cannot be converted to such text
   */
  public static String text(@Nullable Object value, SessionFactoryImplementor factory) {
    return JsonbText.text(Mappers.of(factory).tree(value));
  }

  @Override
  public boolean isInstance(@Nullable Object value) {
    return true;
  }

  @Override
  public @Nullable Object cast(@Nullable Object value) {
    return value;
  }

  @Override
  public <X> @Nullable X unwrap(@Nullable Object value, Class<X> type, WrapperOptions options) {
    return value == null ? null : type.cast(text(value, options.getSessionFactory()));
  }

  @Override
  public <X> @Nullable Object wrap(@Nullable X value, WrapperOptions options) {
    return value;
  }
}
