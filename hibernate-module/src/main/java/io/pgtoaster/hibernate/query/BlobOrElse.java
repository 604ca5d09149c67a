package io.pgtoaster.hibernate.query;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.util.List;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.model.domain.ReturnableType;
import org.hibernate.query.spi.QueryEngine;
import org.hibernate.query.sqm.function.AbstractSqmFunctionDescriptor;
import org.hibernate.query.sqm.function.SelfRenderingSqmFunction;
import org.hibernate.query.sqm.function.SqmFunctionDescriptor;
import org.hibernate.query.sqm.function.SqmFunctionRegistry;
import org.hibernate.query.sqm.tree.SqmTypedNode;
import org.hibernate.type.BasicType;
import org.hibernate.type.BasicTypeRegistry;
import org.hibernate.type.descriptor.java.JavaType;
import org.jspecify.annotations.Nullable;

/**
 * A standard function with a special meaning for blobs. Other arguments use the previously
 * registered function.
 */
final class BlobOrElse extends AbstractSqmFunctionDescriptor {
  private final SqmFunctionDescriptor blob;
  private final SqmFunctionDescriptor other;

  private BlobOrElse(String name, SqmFunctionDescriptor blob, SqmFunctionDescriptor other) {
    // Each of the two functions validates its arguments.
    super(name);
    this.blob = blob;
    this.other = other;
  }

  /** Overrides the registered functions. Has no effect when called again. */
  static void install(SessionFactoryImplementor factory) {
    SqmFunctionRegistry registry = factory.getQueryEngine().getSqmFunctionRegistry();
    BasicTypeRegistry types =
        factory.getQueryEngine().getTypeConfiguration().getBasicTypeRegistry();
    BasicType<Long> number = requireNonNull(types.getRegisteredType(Long.class));
    BasicType<byte[]> bytes = requireNonNull(types.getRegisteredType(byte[].class));
    install(registry, "length", BlobFunction.length("length", number));
    install(registry, "octet_length", BlobFunction.length("octet_length", number));
    install(registry, "substring", BlobFunction.substring("substring", bytes));
  }

  private static void install(
      SqmFunctionRegistry registry, String name, SqmFunctionDescriptor blob) {
    SqmFunctionDescriptor other = registry.findFunctionDescriptor(name);
    if (other != null && !(other instanceof BlobOrElse)) {
      registry.register(name, new BlobOrElse(name, blob, other));
    }
  }

  @Override
  protected <T> SelfRenderingSqmFunction<T> generateSqmFunctionExpression(
      List<? extends SqmTypedNode<?>> arguments,
      @Nullable ReturnableType<T> impliedResultType,
      QueryEngine queryEngine) {
    JavaType<?> type = arguments.isEmpty() ? null : arguments.get(0).getNodeJavaType();
    return (type != null && type.getJavaTypeClass() == AppendableBlob.class ? blob : other)
        .generateSqmExpression(arguments, impliedResultType, queryEngine);
  }
}
