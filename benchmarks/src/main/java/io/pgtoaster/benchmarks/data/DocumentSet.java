package io.pgtoaster.benchmarks.data;

import io.pgtoaster.column.DocumentPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Documents of increasing size, the same in every run.
 *
 * @param name name in the tables
 * @param count number of documents, which are numbered from 0
 * @param text returns the text of a document
 * @param elements returns the length of a document's long array
 * @param array key of the long array
 * @param member member of an element that is read and set; empty if the elements are numbers
 * @param shortKeys keys of small members
 */
public record DocumentSet(
    String name,
    int count,
    IntFunction<String> text,
    IntUnaryOperator elements,
    String array,
    List<String> member,
    List<String> shortKeys) {
  private static final String[] WORDS = {
    "The", "Night", "of", "Return", "Silent", "River", "House", "Last", "Summer", "Captain",
    "Doctor", "Young", "Lady", "Detective", "Stranger", "Man", "Road", "Winter", "Story", "Secret",
  };

  /**
   * Numbers and long arrays of zeros: 130 bytes to 13 MB of raw jsonb if {@code most} is a million.
   */
  public static DocumentSet synthetic(int count, int most) {
    IntUnaryOperator zeros = i -> rising(i, count, 10, most);
    return new DocumentSet(
        "synthetic",
        count,
        i ->
            String.format(
                Locale.ROOT,
                "{\"key1\": %d, \"key2\": [%s], \"key3\": %d, \"key4\": [%s]}",
                i,
                numbers(zeros.applyAsInt(i)),
                i * 7,
                numbers(rising(i, count, 1, most / 10))),
        zeros,
        "key2",
        List.of(),
        List.of("key1", "key3"));
  }

  /** Actors of a film database: the first has one role, the last has {@code most}. */
  public static DocumentSet actors(int count, int most) {
    IntUnaryOperator roles = i -> rising(i, count, 1, most);
    return new DocumentSet(
        "actors",
        count,
        i -> actor(i, roles.applyAsInt(i)),
        roles,
        "roles",
        List.of("title"),
        List.of("id", "height", "imdb_id"));
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

  private static String actor(int number, int roles) {
    Random random = new Random(number);
    String all =
        IntStream.range(0, roles).mapToObj(i -> role(random)).collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "{\"id\": \"%s (%d)\", \"roles\": [%s], \"height\": \"%d cm\", \"imdb_id\": \"nm%07d\"}",
        words(random, 2),
        number,
        all,
        150 + random.nextInt(50),
        number);
  }

  public static String words(Random random, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> WORDS[random.nextInt(WORDS.length)] + random.nextInt(100))
        .collect(Collectors.joining(" "));
  }

  private static String numbers(int count) {
    return "0" + ", 0".repeat(Math.max(count, 1) - 1);
  }

  private static int rising(int i, int count, int least, int most) {
    double share = count == 1 ? 1 : (double) i / (count - 1);
    return (int) Math.round(least * Math.pow((double) most / least, share));
  }

  public String text(int number) {
    return text.apply(number);
  }

  public String shortKey() {
    return shortKeys.get(shortKeys.size() - 2);
  }

  /** Returns a random path into the long array of a document. */
  public DocumentPath place(int number, Random random) {
    List<String> steps = new ArrayList<>();
    steps.add(array);
    steps.add(Integer.toString(random.nextInt(elements.applyAsInt(number))));
    steps.addAll(member);
    return new DocumentPath(steps);
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

  public String placeName() {
    return array + "[i]" + (member.isEmpty() ? "" : "." + member.get(0));
  }
}
