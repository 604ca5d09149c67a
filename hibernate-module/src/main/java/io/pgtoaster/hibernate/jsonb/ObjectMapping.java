package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonCopies;
import io.pgtoaster.spi.json.JsonbText;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Type;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.format.FormatMapper;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Turns objects of the application's classes into documents, and back. Thread-safe. */
interface ObjectMapping {
  /** Turns an object into a tree of its own; null into the JSON null. */
  default JsonNode tree(@Nullable Object value) {
    if (value instanceof JsonNode node) {
      Json.check(node);
      return JsonCopies.copy(node);
    }
    if (value instanceof InputStream || value instanceof Reader) {
      throw new InvalidJsonException(
          "a value is not read from a stream or reader: give the tree of its JSON");
    }
    return value == null ? Json.toTree(null) : written(value);
  }

  /** Turns a tree into an object; null for the JSON null. */
  default @Nullable Object object(JsonNode tree, Type type) {
    return type == JsonNode.class ? JsonCopies.copy(tree) : read(tree, type);
  }

  /** Turns an object of a class into a tree that a document can hold. */
  JsonNode written(Object value);

  /** Turns a tree into an object; null for the JSON null. */
  @Nullable Object read(JsonNode tree, Type type);

  /** A mapper of Jackson. */
  record OfJackson(JsonMapper mapper) implements ObjectMapping {
    @Override
    public JsonNode written(Object value) {
      if (mapper == Json.mapper()) {
        return Json.toTree(value);
      }
      JsonNode tree = mapper.valueToTree(value);
      Json.check(tree);
      return tree;
    }

    @Override
    public @Nullable Object read(JsonNode tree, Type type) {
      return mapper.treeToValue(tree, mapper.constructType(type));
    }
  }

  /** The mapper that {@code hibernate.type.json_format_mapper} names. */
  record OfHibernate(FormatMapper mapper, SessionFactoryImplementor factory)
      implements ObjectMapping {
    private JavaType<?> described(Type type) {
      return factory.getTypeConfiguration().getJavaTypeRegistry().resolveDescriptor(type);
    }

    @Override
    @SuppressWarnings("unchecked") // the type is that of the value
    public JsonNode written(Object value) {
      String text =
          mapper.toString(
              value, (JavaType<Object>) described(value.getClass()), factory.getWrapperOptions());
      if (text == null) {
        throw new InvalidJsonException(
            "an object of " + value.getClass().getName() + " became no JSON");
      }
      return Json.readTree(text);
    }

    @Override
    public @Nullable Object read(JsonNode tree, Type type) {
      return tree.isNull()
          ? null
          : mapper.fromString(JsonbText.text(tree), described(type), factory.getWrapperOptions());
    }
  }
}
