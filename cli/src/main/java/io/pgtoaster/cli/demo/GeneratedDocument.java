package io.pgtoaster.cli.demo;

import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A document of about so many bytes of text, the same each time: some short members, as of an
 * order, and an array of events that makes its size. Its words compress about as well as those of
 * such documents do.
 *
 * @param size bytes, about
 */
record GeneratedDocument(long size) {
  private static final int EVENT = 200;
  private static final int WORDS = 17;

  /** Number of elements of the array. */
  int events() {
    return (int) Math.max(3, size / EVENT);
  }

  /** One more element. */
  static String event(int number) {
    return "{\"no\": " + number + ", \"kind\": \"added\", \"open\": true, \"text\": \"one more\"}";
  }

  String text() {
    Random random = new Random(size);
    return IntStream.range(0, events())
        .mapToObj(
            i ->
                String.format(
                    Locale.ROOT,
                    "{\"no\": %d, \"kind\": \"%s\", \"open\": true, \"amount\": %.2f, \"text\": \"%s\"}",
                    i,
                    word(random.nextInt(20)),
                    random.nextDouble() * 100_000,
                    words(random)))
        .collect(
            Collectors.joining(
                ", ",
                "{\"id\": "
                    + size
                    + ", \"state\": \"open\", \"customer\": \""
                    + words(random)
                    + "\", \"events\": [",
                "]}"));
  }

  private static String words(Random random) {
    return IntStream.range(0, WORDS)
        .mapToObj(i -> word(random.nextInt(2_000)))
        .collect(Collectors.joining(" "));
  }

  /** A word of its own for each number. */
  private static String word(int number) {
    return Long.toString(1_000_003L * (number + 37), 36);
  }
}
