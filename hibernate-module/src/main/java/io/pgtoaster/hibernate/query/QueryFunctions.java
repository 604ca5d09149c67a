package io.pgtoaster.hibernate.query;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.query.KeyedFunction.Kind;
import java.math.BigDecimal;
import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.boot.model.FunctionContributor;
import org.hibernate.query.sqm.function.SqmFunctionRegistry;
import org.hibernate.type.BasicType;
import org.hibernate.type.BasicTypeRegistry;
import org.hibernate.type.internal.BasicTypeImpl;

/** Registers the functions over documents; {@link java.util.ServiceLoader} finds it. */
public final class QueryFunctions implements FunctionContributor {
  /** Name of the function that takes a path step by step. */
  static final String AT = "keyed_at";

  /** Creates the contributor; {@link java.util.ServiceLoader} does. */
  public QueryFunctions() {}

  @Override
  public void contributeFunctions(FunctionContributions contributions) {
    BasicTypeRegistry types = contributions.getTypeConfiguration().getBasicTypeRegistry();
    BasicType<?> text = requireNonNull(types.getRegisteredType(String.class));
    BasicType<?> truth = requireNonNull(types.getRegisteredType(Boolean.class));
    BasicType<?> json = new BasicTypeImpl<>(JsonNodeType.INSTANCE, JsonTextJdbcType.INSTANCE);
    SqmFunctionRegistry registry = contributions.getFunctionRegistry();
    register(registry, AT, Kind.AT, text);
    register(registry, "keyed_text", Kind.TEXT, text);
    register(
        registry,
        "keyed_number",
        Kind.NUMBER,
        requireNonNull(types.getRegisteredType(BigDecimal.class)));
    register(registry, "keyed_boolean", Kind.BOOLEAN, truth);
    register(registry, "keyed_get", Kind.GET, json);
    register(registry, "keyed_exists", Kind.EXISTS, truth);
    register(registry, "keyed_contains", Kind.CONTAINS, truth);
  }

  private static void register(
      SqmFunctionRegistry registry, String name, Kind kind, BasicType<?> result) {
    registry.register(name, new KeyedFunction(name, kind, result));
  }
}
