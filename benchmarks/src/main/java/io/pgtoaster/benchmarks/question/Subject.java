package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.DocumentSet;
import io.pgtoaster.column.DocumentPath;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A document, and the values that a trial reads or sets in it.
 *
 * @param text text of the document
 * @param paths paths, used in turn
 * @param values generates the values to set
 */
record Subject(String text, List<DocumentPath> paths, Function<Random, Object> values) {
  /** Keys of the synthetic documents except the short one: a number between two arrays of zeros. */
  static final List<String> LONG_KEYS = List.of("key2", "key3", "key4");

  private static final int PLACES = 64;

  /**
   * Returns a subject.
   *
   * @param set shape of the document
   * @param elements length of its long array, or the number of filler strings if it has no array
   * @param key key of the value; for strings its size, for nested objects the depth
   */
  static Subject of(String set, int elements, String key) {
    return switch (set) {
      case "synthetic" -> of(DocumentSet.synthetic(elements), key);
      case "actors" -> of(DocumentSet.actor(0, elements), key);
      case "strings" -> strings(elements, (int) Cell.size(key));
      case "nested" -> nested(elements, Integer.parseInt(key));
      default -> throw new IllegalArgumentException("no such set: " + set);
    };
  }

  private static Subject of(DocumentSet set, String key) {
    Random random = new Random(set.elements());
    return switch (key) {
      case "short" ->
          new Subject(set.text(), List.of(DocumentPath.of(set.shortKey())), set::shortValue);
      // The array itself; trials append elements to it.
      case "array" -> new Subject(set.text(), List.of(DocumentPath.of(set.array())), set::element);
      case "first" -> new Subject(set.text(), List.of(set.place(0)), set::value);
      case "middle" -> new Subject(set.text(), List.of(set.place(set.elements() / 2)), set::value);
      case "any" ->
          new Subject(
              set.text(),
              Stream.generate(() -> set.place(random)).limit(PLACES).toList(),
              set::value);
      default -> new Subject(set.text(), List.of(DocumentPath.of(key)), set::value);
    };
  }

  /** String members: many of 100 bytes, and the wanted one. */
  private static Subject strings(int elements, int size) {
    Random random = new Random(size);
    String filler =
        IntStream.range(0, elements)
            .mapToObj(i -> "\"f" + i + "\": \"" + noise(random, 100) + "\"")
            .collect(Collectors.joining(", "));
    return new Subject(
        "{\"wanted\": \"" + noise(random, size) + "\", " + filler + "}",
        List.of(DocumentPath.of("wanted")),
        r -> noise(r, size));
  }

  /** Nested objects with the same number of strings in each. */
  private static Subject nested(int elements, int depth) {
    Random random = new Random(depth);
    StringBuilder text = new StringBuilder();
    DocumentPath path = DocumentPath.root();
    for (int level = 0; level < depth; level++) {
      path = path.key("inner");
      text.append("{\"filler\": [");
      for (int i = 0; i < Math.max(1, elements / depth); i++) {
        text.append(i == 0 ? "\"" : ", \"").append(noise(random, 100)).append('"');
      }
      text.append("], \"inner\": ");
    }
    text.append("\"wanted\"").append("}".repeat(depth));
    return new Subject(text.toString(), List.of(path), r -> noise(r, 6));
  }

  /** Returns letters and digits that can hardly be compressed. */
  static String noise(Random random, int size) {
    StringBuilder text = new StringBuilder(size);
    while (text.length() < size) {
      text.append(Long.toString(random.nextLong() >>> 1, 36));
    }
    text.setLength(size);
    return text.toString();
  }

  /** Returns the expected result of {@code #>>}, without spaces. */
  String expected(DocumentPath path) {
    JsonNode node = JsonMapper.shared().readTree(text).at(path.toPointer());
    return node.isString() ? node.stringValue() : node.toString();
  }

  /** Returns an actual result without spaces between the parts of an array or an object. */
  static @Nullable String withoutBlanks(@Nullable String found) {
    return found != null && found.matches("(?s)[\\[{].*")
        ? JsonMapper.shared().readTree(found).toString()
        : found;
  }

  /** Returns the number of rows. It limits the total size of all documents. */
  int rows() {
    return (int) Math.max(1, Math.min(20, (4L << 20) / text.length()));
  }
}
