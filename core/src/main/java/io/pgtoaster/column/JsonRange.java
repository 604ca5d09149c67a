package io.pgtoaster.column;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A range of values at a path, for {@link JsonSearch#range}. A document is found if one of its
 * values at the path has the type of the bounds, number or string, and lies between them. Numbers
 * are compared exactly, strings by the code points of their characters. Immutable.
 *
 * <pre>{@code
 * JsonRange prices = JsonRange.of("variants[*].price").atLeast(10).below(20);
 * }</pre>
 *
 * @param path keys separated by dots, with {@code [*]} for all elements of an array: {@code
 *     variants[*].price}. Keys with dots, brackets or apostrophes are written in brackets and
 *     quotes: {@code event["due.date"]}
 * @param bounds the bounds by operator: {@code =}, {@code <}, {@code <=}, {@code >} or {@code >=}
 */
public record JsonRange(String path, Map<String, JsonNode> bounds) {
  /** Copies the bounds. */
  public JsonRange {
    Objects.requireNonNull(path, "path");
    bounds = Collections.unmodifiableMap(new TreeMap<>(bounds));
  }

  /** Returns a range without bounds. A search needs at least one bound. */
  public static JsonRange of(String path) {
    return new JsonRange(path, Map.of());
  }

  /** Returns the range from one value to another, including both. */
  public static JsonRange between(String path, Object low, Object high) {
    return of(path).atLeast(low).atMost(high);
  }

  /** Returns this range, limited to one value: a number, string, boolean or null. */
  public JsonRange equalTo(@Nullable Object value) {
    return with("=", value);
  }

  /** Returns this range with a lower bound, which is part of the range. */
  public JsonRange atLeast(Object low) {
    return with(">=", Objects.requireNonNull(low, "low"));
  }

  /** Returns this range with a lower bound, which is not part of the range. */
  public JsonRange above(Object low) {
    return with(">", Objects.requireNonNull(low, "low"));
  }

  /** Returns this range with an upper bound, which is part of the range. */
  public JsonRange atMost(Object high) {
    return with("<=", Objects.requireNonNull(high, "high"));
  }

  /** Returns this range with an upper bound, which is not part of the range. */
  public JsonRange below(Object high) {
    return with("<", Objects.requireNonNull(high, "high"));
  }

  private JsonRange with(String operator, @Nullable Object bound) {
    Map<String, JsonNode> more = new TreeMap<>(bounds);
    more.put(operator, Json.toTree(bound));
    return new JsonRange(path, more);
  }

  /** Returns the range in the form that {@code pgtoaster.search} takes. */
  String toJson() {
    ObjectNode range = JsonNodeFactory.instance.objectNode();
    bounds.forEach(range::set);
    return JsonbText.text(range.put("path", path));
  }
}
