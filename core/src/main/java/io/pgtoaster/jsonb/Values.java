package io.pgtoaster.jsonb;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.io.InputStream;
import java.io.Reader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What callers give and get as JSON: text, trees, objects of their own classes. */
record Values(@Nullable JsonMapper own) {
  /** A value of a document: a string is a JSON string. */
  JsonNode tree(@Nullable Object value) {
    if (own == null || value == null || value instanceof JsonNode) {
      return Json.toTree(value);
    }
    return Json.readTree(write(own, value));
  }

  /** Values as the elements of an array. */
  JsonNode array(@Nullable Object... elements) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode(elements.length);
    for (Object element : elements) {
      array.add(tree(element));
    }
    return array;
  }

  /** A whole document or patch, all in memory: a string is JSON text. */
  JsonNode document(Object given) {
    Objects.requireNonNull(given, "document");
    return given instanceof CharSequence text ? Json.readTree(text.toString()) : tree(given);
  }

  /** A whole document: a string is JSON text, and so is what a stream or reader brings. */
  JsonParser parser(Object given) {
    Objects.requireNonNull(given, "document");
    if (given instanceof InputStream in) {
      return Json.parser(in);
    }
    if (given instanceof Reader reader) {
      return Json.parser(reader);
    }
    if (given instanceof CharSequence text) {
      return Json.parser(text.toString());
    }
    if (own == null || given instanceof JsonNode) {
      return Json.parser(JsonbText.text(Json.toTree(given)));
    }
    return Json.parser(write(own, given));
  }

  private static String write(JsonMapper mapper, Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new InvalidJsonException(
          "an object of " + value.getClass().getName() + " cannot be turned into JSON", e);
    }
  }

  /** Binds a text to a class; null for the JSON null. */
  <T> @Nullable T bind(InputStream text, Class<T> type) {
    JsonMapper mapper = own == null ? Json.mapper() : own;
    try {
      return mapper.readValue(Json.parser(text), type);
    } catch (JacksonException | NumberFormatException e) {
      RuntimeException failure = Json.failure(e);
      if (failure instanceof InvalidJsonException) {
        throw new InvalidJsonException("the value does not fit " + type.getName());
      }
      throw failure;
    }
  }
}
