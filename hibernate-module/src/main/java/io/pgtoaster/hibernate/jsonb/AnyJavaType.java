package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.RowPart;
import java.util.function.BiFunction;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.jspecify.annotations.Nullable;

/** A parameter of any class, bound as text. Thread-safe. */
public final class AnyJavaType extends AbstractClassJavaType<Object> {
  /** Binds a value as its JSON. */
  public static final AnyJavaType JSON = new AnyJavaType(AnyJavaType::json);

  /**
   * Binds a value as the first step of an assigned path. The guard of the table rejects a plain
   * document that gets the reserved key, so this type rejects that key before the statement.
   */
  public static final AnyJavaType ROOT_STEP = new AnyJavaType((value, factory) -> step(value));

  private static final long serialVersionUID = 1;

  private final transient BiFunction<Object, SessionFactoryImplementor, String> text;

  /**
   * Placeholder for all classes: for {@link Object}, Hibernate uses the class of the bound value.
   */
  private interface AnyValue {}

  private AnyJavaType(BiFunction<Object, SessionFactoryImplementor, String> text) {
    super(MappedJavaType.asObject(AnyValue.class), ImmutableMutabilityPlan.instance());
    this.text = text;
  }

  /**
   * Maps a value in the same way as documents of the session factory.
   *
   * @param value a value of any class that the mapper accepts; null gives the JSON null
   * @param factory determines the mapper
   * @return JSON text that {@code jsonb} accepts
   * @throws io.pgtoaster.error.InvalidJsonException if the value cannot be converted to such text
   */
  public static String json(@Nullable Object value, SessionFactoryImplementor factory) {
    return JsonbText.text(Mappers.of(factory).tree(value));
  }

  private static String step(Object value) {
    String step = value.toString();
    if (step.equals(RowPart.KEY)) {
      throw new InvalidPathException(
          "the root key \"$pgtoaster\" is reserved, and a query cannot set it; call set() of the"
              + " KeyedJson of a loaded entity");
    }
    return step;
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
    return value == null ? null : type.cast(text.apply(value, options.getSessionFactory()));
  }

  @Override
  public <X> @Nullable Object wrap(@Nullable X value, WrapperOptions options) {
    return value;
  }
}
