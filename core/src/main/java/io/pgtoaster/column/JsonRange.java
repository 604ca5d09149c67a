package io.pgtoaster.column;

import io.pgtoaster.internal.json.Json;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A range of values at a path, for {@link JsonSearch#range}. A document is found if one of its
 * values at the path has the type of the bounds, number or string, and lies between them. Numbers
 * are compared exactly, strings by the code points of their characters. Immutable.
 *
 * <pre>{@code
 * JsonRange prices = JsonRange.of("variants[*].price").atLeast(10).below(20);
 * }</pre>
 */
public final class JsonRange {
  private final String path;
  private final Map<String, JsonNode> bounds;

  private JsonRange(String path, Map<String, JsonNode> bounds) {
    this.path = Objects.requireNonNull(path, "path");
    this.bounds = Collections.unmodifiableMap(bounds);
  }

  /**
   * Returns a range without bounds: all numbers, strings, booleans and nulls.
   *
   * @param path keys separated by dots, with {@code [*]} for all elements of an array: {@code
   *     variants[*].price}. Keys with dots, brackets or apostrophes are written in brackets and
   *     quotes: {@code event["due.date"]}
   */
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

  /** Returns the path of the values. */
  public String path() {
    return path;
  }

  /**
   * Returns the bounds, for toasters.
   *
   * @return the bounds by operator: {@code =}, {@code <}, {@code <=}, {@code >} or {@code >=}
   */
  public Map<String, JsonNode> bounds() {
    return bounds;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonRange range
        && path.equals(range.path)
        && bounds.equals(range.bounds);
  }

  @Override
  public int hashCode() {
    return Objects.hash(path, bounds);
  }

  @Override
  public String toString() {
    return "JsonRange[path=%s, bounds=%s]".formatted(path, bounds);
  }
}
