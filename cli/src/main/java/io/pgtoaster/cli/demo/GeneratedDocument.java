package io.pgtoaster.cli.demo;

import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A document of approximately the given size, identical on every run. It has some short members,
 * like those of an order, and an array of events that accounts for most of the size. Its text
 * compresses about as well as typical documents.
 *
 * @param size approximate size in bytes
 */
record GeneratedDocument(long size) {
  private static final int EVENT = 200;
  private static final int WORDS = 17;

  /** Returns the number of elements of the array. */
  int events() {
    return (int) Math.max(3, size / EVENT);
  }

  /** Returns another element. */
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

  /** Returns a different word for each number. */
  private static String word(int number) {
    return Long.toString(1_000_003L * (number + 37), 36);
  }
}
