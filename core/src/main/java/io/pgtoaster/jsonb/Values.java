package io.pgtoaster.jsonb;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;

/** Converts between callers' JSON values (text, trees, objects of their classes) and trees. */
record Values(@Nullable JsonMapper own) {
  /** Converts a value within a document; a string becomes a JSON string. */
  JsonNode tree(@Nullable Object value) {
    if (value instanceof InputStream || value instanceof Reader) {
      throw new InvalidJsonException(
          "a value cannot be a stream or reader: pass its text to setJson");
    }
    if (own == null || value == null || value instanceof JsonNode) {
      return Json.toTree(value);
    }
    return Json.readTree(write(own, value));
  }

  /** Converts values to the elements of an array. */
  ArrayNode array(@Nullable Object... elements) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode(elements.length);
    for (Object element : elements) {
      array.add(tree(element));
    }
    return array;
  }

  /** Converts the objects in an edit. */
  JsonEdit edit(JsonEdit edit) {
    if (edit instanceof JsonEdit.Set set) {
      return new JsonEdit.Set(
          set.path(), converted(set.value()), set.createMissing(), set.createParents());
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return new JsonEdit.Insert(insert.path(), converted(insert.value()), insert.after());
    }
    if (edit instanceof JsonEdit.Append append) {
      ArrayNode elements = JsonNodeFactory.instance.arrayNode(append.elements().size());
      append.elements().forEach(element -> elements.add(converted(element)));
      return new JsonEdit.Append(append.path(), elements);
    }
    if (edit instanceof JsonEdit.SetMembers set) {
      ObjectNode members = JsonNodeFactory.instance.objectNode();
      set.members().forEachEntry((key, value) -> members.set(key, converted(value)));
      return new JsonEdit.SetMembers(set.path(), members);
    }
    if (edit instanceof JsonEdit.Conditional conditional) {
      JsonNode expected = conditional.expected();
      return new JsonEdit.Conditional(
          edit(conditional.edit()), expected == null ? null : converted(expected));
    }
    return edit;
  }

  /** Converts the object in a search. */
  JsonSearch search(JsonSearch search) {
    return search.probe() instanceof POJONode object
        ? search.withContains(converted(object))
        : search;
  }

  private JsonNode converted(JsonNode value) {
    return value instanceof POJONode object ? tree(object.getPojo()) : value;
  }

  /** Converts a whole document or patch in memory; a string is JSON text. */
  JsonNode document(Object given) {
    Objects.requireNonNull(given, "document");
    return given instanceof CharSequence text ? Json.readTree(text.toString()) : tree(given);
  }

  /** Opens a whole document; strings, streams and readers contain JSON text. */
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

  /** Returns the text of an object, serialized with a type. */
  String text(Object value, JavaType type) {
    return write(mapper().writerFor(type), value);
  }

  private static String write(JsonMapper mapper, Object value) {
    return write(mapper.writer(), value);
  }

  private static String write(ObjectWriter writer, Object value) {
    try {
      return writer.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new InvalidJsonException(
          "an object of " + value.getClass().getName() + " cannot be converted to JSON", e);
    }
  }

  private JsonMapper mapper() {
    return own == null ? Json.mapper() : own;
  }

  /** Converts a type to a type of the mapper. */
  JavaType type(Type type) {
    return mapper().constructType(type);
  }

  /** Returns the type of a list with these elements. */
  JavaType listOf(JavaType element) {
    return mapper().getTypeFactory().constructCollectionType(List.class, element);
  }

  /** Converts JSON text to an object of a type; returns null for the JSON null. */
  @Nullable Object bind(InputStream text, JavaType type) {
    try {
      return mapper().readValue(Json.parser(text), type);
    } catch (JacksonException | NumberFormatException e) {
      RuntimeException failure = Json.failure(e);
      if (failure instanceof InvalidJsonException) {
        throw new InvalidJsonException("the value does not fit " + type.toCanonical());
      }
      throw failure;
    }
  }
}
