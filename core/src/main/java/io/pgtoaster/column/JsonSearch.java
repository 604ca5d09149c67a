package io.pgtoaster.column;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import java.io.InputStream;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The conditions of a {@link io.pgtoaster.jsonb.DocumentColumn#search}. Immutable.
 *
 * <pre>{@code
 * List<Object> keys =
 *     toaster
 *         .documents("product", "doc")
 *         .search(
 *             JsonSearch.contains(Map.of("variants", List.of(Map.of("sku", "S1"))))
 *                 .withText("red OR \"dark blue\"")
 *                 .withLimit(20));
 * }</pre>
 */
public final class JsonSearch {
  private static final int DEFAULT_LIMIT = 1000;

  private final @Nullable JsonNode probe;
  private final @Nullable String text;
  private final List<String> textPaths;
  private final List<JsonRange> ranges;
  private final int limit;
  private final @Nullable Object after;

  private JsonSearch(
      @Nullable JsonNode probe,
      @Nullable String text,
      List<String> textPaths,
      List<JsonRange> ranges,
      int limit,
      @Nullable Object after) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit " + limit + " is less than 1");
    }
    if (text == null && !textPaths.isEmpty()) {
      throw new IllegalArgumentException("paths without text to search for at them");
    }
    this.probe = probe;
    this.text = text;
    this.textPaths = List.copyOf(textPaths);
    this.ranges = List.copyOf(ranges);
    this.limit = limit;
    this.after = after;
  }

  /**
   * Returns a search for the documents that contain a value, as {@code jsonb} defines it: all
   * members of an object, and for each element of an array one that contains it, in any order. It
   * returns at most 1,000 rows.
   *
   * @param value a {@link JsonNode}, or any object for the mapper of the column
   * @throws InvalidJsonException if it is a string, stream or reader: call {@link #containsJson}
   */
  public static JsonSearch contains(Object value) {
    return new JsonSearch(probe(value), null, List.of(), List.of(), DEFAULT_LIMIT, null);
  }

  private static JsonNode probe(Object value) {
    Objects.requireNonNull(value, "value");
    if (value instanceof CharSequence || value instanceof InputStream || value instanceof Reader) {
      throw new InvalidJsonException(
          "contains takes the value as an object, not as text; for JSON text, call containsJson");
    }
    return Unconverted.of(value);
  }

  /**
   * Returns a search for the documents that contain a value, for at most 1,000 rows. See {@link
   * #contains}.
   *
   * @param json the value's text
   * @throws InvalidJsonException if the text is not JSON
   */
  public static JsonSearch containsJson(String json) {
    return new JsonSearch(Json.readTree(json), null, List.of(), List.of(), DEFAULT_LIMIT, null);
  }

  /**
   * Returns a search for the documents that contain words in their strings, for at most 1,000 rows.
   *
   * @param text as {@code websearch_to_tsquery} reads it: all words, {@code "a phrase"}, {@code
   *     or}, {@code -not}. Words may be in different strings; the words of a phrase must be in one
   *     string
   */
  public static JsonSearch text(String text) {
    return new JsonSearch(
        null, Objects.requireNonNull(text, "text"), List.of(), List.of(), DEFAULT_LIMIT, null);
  }

  /**
   * Returns a search for the documents that have a value in a range, for at most 1,000 rows. The
   * column needs a path index with the path of the range.
   */
  public static JsonSearch range(JsonRange range) {
    return new JsonSearch(null, null, List.of(), List.of(range), DEFAULT_LIMIT, null);
  }

  /**
   * Returns the same search for documents that contain a value, instead of the value of {@link
   * #contains}.
   */
  public JsonSearch withContains(Object value) {
    return new JsonSearch(probe(value), text, textPaths, ranges, limit, after);
  }

  /** Returns the same search for documents that also contain words. See {@link #text(String)}. */
  public JsonSearch withText(String words) {
    return new JsonSearch(
        probe, Objects.requireNonNull(words, "words"), textPaths, ranges, limit, after);
  }

  /**
   * Returns the same search for words that are in the strings at these paths, and below them: keys
   * separated by dots, and {@code [*]} for all elements of an array, such as {@code
   * reviews[*].text}. Words may be in different strings. The search finds the documents that
   * contain the words anywhere, and then reads the values at the paths.
   *
   * @throws IllegalArgumentException if the search has no text
   */
  public JsonSearch withTextAt(String... paths) {
    return new JsonSearch(probe, text, List.of(paths), ranges, limit, after);
  }

  /** Returns the same search for documents that also have a value in a range. */
  public JsonSearch withRange(JsonRange range) {
    List<JsonRange> more = new ArrayList<>(ranges);
    more.add(range);
    return new JsonSearch(probe, text, textPaths, more, limit, after);
  }

  /** Returns the same search for at most this number of rows, at least 1. */
  public JsonSearch withLimit(int rows) {
    return new JsonSearch(probe, text, textPaths, ranges, rows, after);
  }

  /**
   * Returns the same search for the rows that follow a row, in the order of their keys. The row may
   * no longer exist.
   */
  public JsonSearch withAfter(Object key) {
    return new JsonSearch(
        probe, text, textPaths, ranges, limit, Objects.requireNonNull(key, "key"));
  }

  /**
   * Returns the value that a document must contain; null for no condition. Until the search is
   * made, an object for the mapper of the column is in a {@link
   * tools.jackson.databind.node.POJONode}.
   */
  public @Nullable JsonNode probe() {
    return probe;
  }

  /** Returns the words that a document must contain in its strings; null for no condition. */
  public @Nullable String text() {
    return text;
  }

  /** Returns the paths of the strings to search for the words; empty for all strings. */
  public List<String> textPaths() {
    return textPaths;
  }

  /** Returns the ranges in each of which a document must have a value. */
  public List<JsonRange> ranges() {
    return ranges;
  }

  /** Returns the maximum number of rows. */
  public int limit() {
    return limit;
  }

  /** Returns the last key of the previous page; null for the first page. */
  public @Nullable Object after() {
    return after;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonSearch search
        && limit == search.limit
        && Objects.equals(probe, search.probe)
        && Objects.equals(text, search.text)
        && textPaths.equals(search.textPaths)
        && ranges.equals(search.ranges)
        && Objects.equals(after, search.after);
  }

  @Override
  public int hashCode() {
    return Objects.hash(probe, text, textPaths, ranges, limit, after);
  }

  @Override
  public String toString() {
    return "JsonSearch[probe=%s, text=%s, textPaths=%s, ranges=%s, limit=%s, after=%s]"
        .formatted(probe, text, textPaths, ranges, limit, after);
  }
}
