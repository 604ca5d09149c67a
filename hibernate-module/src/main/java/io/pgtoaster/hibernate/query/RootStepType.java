package io.pgtoaster.hibernate.query;

import io.pgtoaster.error.InvalidPathException;
import org.hibernate.type.BasicType;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.hibernate.type.descriptor.jdbc.VarcharJdbcType;
import org.hibernate.type.internal.BasicTypeImpl;
import org.jspecify.annotations.Nullable;

/**
 * The first step of an assigned path, bound as text. The guard of the table rejects a plain
 * document that gets the reserved key, so this type rejects that key before the statement.
 */
final class RootStepType extends AbstractClassJavaType<Object> {
  private static final long serialVersionUID = 1;
  private static final String RESERVED = "$pgtoaster";

  /** The singleton type. */
  static final BasicType<Object> INSTANCE =
      new BasicTypeImpl<>(new RootStepType(), VarcharJdbcType.INSTANCE);

  /**
   * Placeholder for all classes: for {@link Object}, Hibernate would use the class of the bound
   * value.
   */
  private interface AnyStep {}

  private RootStepType() {
    super(anyClass(AnyStep.class), ImmutableMutabilityPlan.instance());
  }

  @SuppressWarnings("unchecked")
  private static Class<Object> anyClass(Class<?> type) {
    return (Class<Object>) type;
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
    if (value == null) {
      return null;
    }
    String step = value.toString();
    if (step.equals(RESERVED)) {
      throw new InvalidPathException(
          "the root key \"$pgtoaster\" is reserved, and a query cannot set it; call set() of the"
              + " KeyedJson of a loaded entity");
    }
    return type.cast(step);
  }

  @Override
  public <X> @Nullable Object wrap(@Nullable X value, WrapperOptions options) {
    return value;
  }
}
