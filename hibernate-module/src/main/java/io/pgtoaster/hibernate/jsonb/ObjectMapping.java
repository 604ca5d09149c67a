package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.JsonbText;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.java.spi.UnknownBasicJavaType;
import org.hibernate.type.format.FormatMapper;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Converts objects of the application's classes to documents and back. Thread-safe. */
interface ObjectMapping {
  /** Converts an object to a new tree; null to the JSON null. */
  default JsonNode tree(@Nullable Object value) {
    return tree(value, Object.class);
  }

  /** Converts an object of a declared type to a new tree; null to the JSON null. */
  default JsonNode tree(@Nullable Object value, Type type) {
    if (value instanceof JsonNode node) {
      Json.check(node);
      return JsonCopies.copy(node);
    }
    if (value instanceof InputStream || value instanceof Reader) {
      throw new InvalidJsonException(
          "a value cannot be a stream or reader: pass the tree of its JSON");
    }
    return value == null ? Json.toTree(null) : written(value, type);
  }

  /** Converts a tree to an object; null for the JSON null. */
  default @Nullable Object object(JsonNode tree, Type type) {
    return type == JsonNode.class ? JsonCopies.copy(tree) : read(tree, type);
  }

  /** Converts an object of a class to a tree that a document can store. */
  JsonNode written(Object value, Type type);

  /** Converts a tree to an object; null for the JSON null. */
  @Nullable Object read(JsonNode tree, Type type);

  /** A Jackson mapper. */
  record OfJackson(JsonMapper mapper) implements ObjectMapping {
    @Override
    public JsonNode written(Object value, Type type) {
      return Json.toTree(value, mapper, type);
    }

    @Override
    public @Nullable Object read(JsonNode tree, Type type) {
      return mapper.treeToValue(tree, mapper.constructType(type));
    }
  }

  /**
   * The mapper in the setting {@code hibernate.type.json_format_mapper}. Hibernate's own mappers
   * treat a string as JSON, and return JSON if a string is requested, so strings bypass the mapper.
   */
  record OfHibernate(FormatMapper mapper, SessionFactoryImplementor factory)
      implements ObjectMapping {
    /** Hibernate's registry loses the arguments of types that it does not know. */
    @SuppressWarnings("unchecked") // the type belongs to the value
    private JavaType<Object> described(Type type) {
      return type instanceof Class<?>
          ? (JavaType<Object>)
              (JavaType<?>)
                  factory.getTypeConfiguration().getJavaTypeRegistry().resolveDescriptor(type)
          : new UnknownBasicJavaType<>(type, ImmutableMutabilityPlan.instance());
    }

    @Override
    public JsonNode written(Object value, Type type) {
      if (value instanceof String) {
        return Json.toTree(value);
      }
      boolean generic =
          type instanceof ParameterizedType declared
              && declared.getRawType() instanceof Class<?> raw
              && raw.isInstance(value);
      String text =
          mapper.toString(
              value, described(generic ? type : value.getClass()), factory.getWrapperOptions());
      if (text == null) {
        throw new InvalidJsonException(
            "an object of " + value.getClass().getName() + " was not converted to JSON");
      }
      return Json.readTree(text);
    }

    @Override
    public @Nullable Object read(JsonNode tree, Type type) {
      if (tree.isNull()) {
        return null;
      }
      boolean any = type == Object.class;
      if (type == String.class || (any && tree.isValueNode())) {
        return Mappers.SHARED.read(tree, type);
      }
      Type wanted = !any ? type : tree.isObject() ? Map.class : List.class;
      return mapper.fromString(
          JsonbText.text(tree), described(wanted), factory.getWrapperOptions());
    }
  }
}
