package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.column.DocumentPath;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * A document with a long array, the same in every run.
 *
 * @param text its text
 * @param elements length of the array
 * @param array key of the array
 * @param member member of an element that is read and set; empty if the elements are numbers
 * @param shortKey key of a small member
 */
public record DocumentSet(String text, int elements, String array, String member, String shortKey) {
  private static final String[] WORDS = {
    "The", "Night", "of", "Return", "Silent", "River", "House", "Last", "Summer", "Captain",
    "Doctor", "Young", "Lady", "Detective", "Stranger", "Man", "Road", "Winter", "Story", "Secret",
  };

  /** Returns numbers, an array of zeros and one of a tenth: 13 MB of raw jsonb for a million. */
  public static DocumentSet synthetic(int elements) {
    String text =
        "{\"key1\": 0, \"key2\": [%s], \"key3\": 0, \"key4\": [%s]}"
            .formatted(zeros(elements), zeros(elements / 10));
    return new DocumentSet(text, elements, "key2", "", "key1");
  }

  private static String zeros(int count) {
    return "0" + ", 0".repeat(Math.max(count, 1) - 1);
  }

  /** Returns an actor of a film database. */
  public static DocumentSet actor(int number, int roles) {
    Random random = new Random(number);
    String all =
        IntStream.range(0, roles).mapToObj(i -> role(random)).collect(Collectors.joining(", "));
    String text =
        String.format(
            Locale.ROOT,
            "{\"id\": \"%s (%d)\", \"roles\": [%s], \"height\": \"%d cm\", \"imdb_id\": \"nm%07d\"}",
            words(random, 2),
            number,
            all,
            150 + random.nextInt(50),
            number);
    return new DocumentSet(text, roles, "roles", "title", "height");
  }

  /** Returns one element of the array of roles. */
  public static String role(Random random) {
    return String.format(
        Locale.ROOT,
        "{\"year\": %d, \"title\": \"%s\", \"series\": %s, \"characters\": [\"%s\", \"%s\"]}",
        1920 + random.nextInt(100),
        words(random, 2 + random.nextInt(5)),
        random.nextInt(4) == 0 ? "\"" + words(random, 2) + "\"" : "null",
        words(random, 2),
        words(random, 1));
  }

  public static String words(Random random, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> WORDS[random.nextInt(WORDS.length)] + random.nextInt(100))
        .collect(Collectors.joining(" "));
  }

  /** Returns the path of an element of the array, or of its member. */
  public DocumentPath place(int position) {
    DocumentPath element = DocumentPath.of(array).index(position);
    return member.isEmpty() ? element : element.key(member);
  }

  /** Returns a random path into the array. */
  public DocumentPath place(Random random) {
    return place(random.nextInt(elements));
  }

  /** Returns a value for such a path, about as long as the existing one. */
  public Object value(Random random) {
    return member.isEmpty() ? (Object) random.nextInt(10) : words(random, 4);
  }

  /** Returns a new array element, about as long as the existing ones. */
  public Object element(Random random) {
    return member.isEmpty()
        ? (Object) random.nextInt(10)
        : JsonMapper.shared().readValue(role(random), new TypeReference<Map<String, Object>>() {});
  }

  public Object shortValue(Random random) {
    return member.isEmpty() ? (Object) random.nextInt(100) : (150 + random.nextInt(50)) + " cm";
  }
}
