package io.pgtoaster.springai;

import io.pgtoaster.internal.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON of metadata. A value whose type does not exist in JSON is written as an object with one
 * member, such as <code>{"$Long": "5"}</code>.
 */
final class MetadataJson {
  private static final Map<Class<?>, Function<String, Object>> TYPES =
      Map.ofEntries(
          Map.entry(Long.class, Long::valueOf),
          Map.entry(Short.class, Short::valueOf),
          Map.entry(Byte.class, Byte::valueOf),
          Map.entry(Double.class, Double::valueOf),
          Map.entry(Float.class, Float::valueOf),
          Map.entry(BigDecimal.class, BigDecimal::new),
          Map.entry(BigInteger.class, BigInteger::new),
          Map.entry(UUID.class, UUID::fromString),
          Map.entry(URI.class, URI::create),
          Map.entry(Instant.class, Instant::parse),
          Map.entry(Duration.class, Duration::parse),
          Map.entry(LocalDate.class, LocalDate::parse),
          Map.entry(LocalDateTime.class, LocalDateTime::parse),
          Map.entry(OffsetDateTime.class, OffsetDateTime::parse),
          Map.entry(ZonedDateTime.class, ZonedDateTime::parse));

  private static final String BYTES = "$bytes";
  private static final String SET = "$set";
  private static final String MAP = "$map";

  private MetadataJson() {}

  private static JsonNode write(@Nullable Object value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (value == null) {
      return nodes.nullNode();
    } else if (value instanceof String text) {
      return nodes.stringNode(text);
    } else if (value instanceof Boolean bool) {
      return nodes.booleanNode(bool);
    } else if (value instanceof Integer number) {
      return nodes.numberNode(number);
    } else if (value instanceof byte[] bytes) {
      return nodes.objectNode().put(BYTES, Base64.getEncoder().encodeToString(bytes));
    } else if (value instanceof Map<?, ?> map) {
      return map(map);
    } else if (value instanceof Set<?> set) {
      return nodes.objectNode().set(SET, array(set));
    } else if (value instanceof Collection<?> values) {
      return array(values);
    } else if (TYPES.containsKey(value.getClass())) {
      return nodes.objectNode().put("$" + value.getClass().getSimpleName(), value.toString());
    }
    return write(plain(value));
  }

  private static ArrayNode array(Collection<?> values) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    values.forEach(element -> array.add(write(element)));
    return array;
  }

  /** Writes the members of a map; {@link #readMap} reads them. */
  static ObjectNode writeMap(Map<?, ?> map) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    map.forEach((key, member) -> object.set(String.valueOf(key), write(member)));
    return object;
  }

  private static JsonNode map(Map<?, ?> map) {
    ObjectNode object = writeMap(map);
    boolean looksLikeAType =
        object.size() == 1 && object.propertyNames().iterator().next().startsWith("$");
    return looksLikeAType ? JsonNodeFactory.instance.objectNode().set(MAP, object) : object;
  }

  /** Returns an object of another class as maps, lists, strings and numbers. */
  private static @Nullable Object plain(Object value) {
    JsonNode tree;
    try {
      tree = Json.toTree(value);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "metadata of " + value.getClass() + " cannot be stored; remove it from the message", e);
    }
    return Json.mapper().treeToValue(tree, Object.class);
  }

  static Map<String, Object> readMap(JsonNode object) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    object.properties().forEach(member -> map.put(member.getKey(), read(member.getValue())));
    @SuppressWarnings("NullAway") // as in the message that was written
    Map<String, Object> read = map;
    return read;
  }

  private static @Nullable Object read(JsonNode value) {
    if (value.isObject()) {
      return value.size() == 1 ? typed(value) : readMap(value);
    } else if (value.isArray()) {
      return list(value);
    } else if (value.isNull()) {
      return null;
    } else if (value.isBoolean()) {
      return value.booleanValue();
    } else if (value.isNumber()) {
      return value.canConvertToInt() ? (Object) value.intValue() : value.numberValue();
    }
    return value.stringValue();
  }

  private static @Nullable Object typed(JsonNode object) {
    String name = object.propertyNames().iterator().next();
    JsonNode value = object.path(name);
    return switch (name) {
      case MAP -> readMap(value);
      case SET -> new LinkedHashSet<>(list(value));
      case BYTES -> Base64.getDecoder().decode(value.asString());
      default -> {
        for (Map.Entry<Class<?>, Function<String, Object>> type : TYPES.entrySet()) {
          if (name.equals("$" + type.getKey().getSimpleName())) {
            yield type.getValue().apply(value.asString());
          }
        }
        yield readMap(object);
      }
    };
  }

  private static List<@Nullable Object> list(JsonNode array) {
    List<@Nullable Object> list = new ArrayList<>();
    array.forEach(element -> list.add(read(element)));
    return list;
  }
}
