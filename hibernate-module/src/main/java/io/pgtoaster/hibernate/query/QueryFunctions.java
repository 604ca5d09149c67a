package io.pgtoaster.hibernate.query;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.jsonb.AnyJavaType;
import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import java.math.BigDecimal;
import java.util.Arrays;
import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.boot.model.FunctionContributor;
import org.hibernate.query.sqm.function.SqmFunctionRegistry;
import org.hibernate.type.BasicType;
import org.hibernate.type.BasicTypeRegistry;
import org.hibernate.type.descriptor.jdbc.VarcharJdbcType;
import org.hibernate.type.internal.BasicTypeImpl;

/** Registers the functions over documents. Loaded by {@link java.util.ServiceLoader}. */
public final class QueryFunctions implements FunctionContributor {
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
    for (KeyedFunction.Kind kind : KeyedFunction.Kind.values()) {
      BasicType<?> result =
          switch (kind) {
            case AT, TEXT -> text;
            case NUMBER -> number;
            case GET -> json;
            case BOOLEAN, EXISTS, CONTAINS, MATCHES -> truth;
          };
      registry.register(kind.functionName(), new KeyedFunction(kind, result));
    }
    for (KeyedEdit.Kind kind : KeyedEdit.Kind.values()) {
      BasicType<?> value = kind == KeyedEdit.Kind.INCREMENT ? number : VALUE;
      registry.register(kind.functionName(), new KeyedEdit(kind, value));
    }
  }

  /** Returns true if a function edits a document. */
  static boolean isEdit(String name) {
    return Arrays.stream(KeyedEdit.Kind.values()).anyMatch(k -> k.functionName().equals(name));
  }
}
