package io.pgtoaster.hibernate.query;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.jsonb.AnyJavaType;
import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import io.pgtoaster.hibernate.query.KeyedFunction.Kind;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.boot.model.FunctionContributor;
import org.hibernate.query.sqm.function.SqmFunctionRegistry;
import org.hibernate.type.BasicType;
import org.hibernate.type.BasicTypeRegistry;
import org.hibernate.type.descriptor.jdbc.VarcharJdbcType;
import org.hibernate.type.internal.BasicTypeImpl;

/** Registers the functions over documents. Loaded by {@link java.util.ServiceLoader}. */
public final class QueryFunctions implements FunctionContributor {
  /** Name of the function that takes a path step by step. */
  static final String AT = "keyed_at";

  static final String TEXT = "keyed_text";
  static final String NUMBER = "keyed_number";
  static final String BOOLEAN = "keyed_boolean";
  static final String GET = "keyed_get";
  static final String EXISTS = "keyed_exists";
  static final String CONTAINS = "keyed_contains";
  static final String MATCHES = "keyed_matches";

  /** The type of any value, as JSON. */
  static final BasicType<Object> VALUE =
      new BasicTypeImpl<>(AnyJavaType.JSON, DocumentJdbcType.PLAIN);

  /** The type of the first step of an assigned path. */
  static final BasicType<Object> ROOT_STEP =
      new BasicTypeImpl<>(AnyJavaType.ROOT_STEP, VarcharJdbcType.INSTANCE);

  /** Creates the contributor. Called by {@link java.util.ServiceLoader}. */
  public QueryFunctions() {}

  @Override
  public void contributeFunctions(FunctionContributions contributions) {
    BasicTypeRegistry types = contributions.getTypeConfiguration().getBasicTypeRegistry();
    BasicType<?> text = requireNonNull(types.getRegisteredType(String.class));
    BasicType<?> truth = requireNonNull(types.getRegisteredType(Boolean.class));
    BasicType<?> number = requireNonNull(types.getRegisteredType(BigDecimal.class));
    BasicType<?> json = new BasicTypeImpl<>(JsonNodeType.INSTANCE, DocumentJdbcType.PLAIN);
    SqmFunctionRegistry registry = contributions.getFunctionRegistry();
    register(registry, AT, Kind.AT, text);
    register(registry, TEXT, Kind.TEXT, text);
    register(registry, NUMBER, Kind.NUMBER, number);
    register(registry, BOOLEAN, Kind.BOOLEAN, truth);
    register(registry, GET, Kind.GET, json);
    register(registry, EXISTS, Kind.EXISTS, truth);
    register(registry, CONTAINS, Kind.CONTAINS, truth);
    register(registry, MATCHES, Kind.MATCHES, truth);
    for (KeyedEdit.Kind edit : KeyedEdit.Kind.values()) {
      String name = nameOf(edit);
      registry.register(
          name, new KeyedEdit(name, edit, edit == KeyedEdit.Kind.INCREMENT ? number : VALUE));
    }
  }

  static String nameOf(KeyedEdit.Kind edit) {
    return "keyed_" + edit.name().toLowerCase(Locale.ROOT);
  }

  /** Returns true if a function edits a document. */
  static boolean isEdit(String name) {
    return Arrays.stream(KeyedEdit.Kind.values()).anyMatch(edit -> nameOf(edit).equals(name));
  }

  private static void register(
      SqmFunctionRegistry registry, String name, Kind kind, BasicType<?> result) {
    registry.register(name, new KeyedFunction(name, kind, result));
  }
}
