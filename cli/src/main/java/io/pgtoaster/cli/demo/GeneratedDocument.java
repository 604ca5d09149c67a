package io.pgtoaster.cli.demo;

import java.util.Random;

/**
 * A document of about so many bytes of text, the same each time: some short members, as of an
 * order, and an array of events that makes its size. Its words compress about as well as such
 * documents do.
 */
final class GeneratedDocument {
  private static final int EVENT = 200;
  private static final String[] WORDS = words();

  private final Random random;
  private final long size;

  GeneratedDocument(long size) {
    this.random = new Random(20_261_120 + size);
    this.size = size;
  }

  private static String[] words() {
    Random random = new Random(1_120);
    String[] words = new String[2_000];
    for (int i = 0; i < words.length; i++) {
      StringBuilder word = new StringBuilder();
      for (int length = 3 + random.nextInt(8); length > 0; length--) {
        word.append((char) ('a' + random.nextInt(26)));
      }
      words[i] = word.toString();
    }
    return words;
  }

  /** Number of elements of the array. */
  int events() {
    return (int) Math.max(3, size / EVENT);
  }

  /** One more element. */
  static String event(int number) {
    return "{\"no\": " + number + ", \"kind\": \"added\", \"open\": true, \"text\": \"one more\"}";
  }

  String text() {
    StringBuilder json = new StringBuilder();
    json.append("{\"id\": ")
        .append(random.nextInt(1_000_000))
        .append(", \"state\": \"open\", \"customer\": {\"name\": \"")
        .append(sentence(12))
        .append("\", \"city\": \"")
        .append(sentence(8))
        .append("\"}, \"last_change_of_its_state_by\": \"")
        .append(sentence(8))
        .append("\", \"events\": [");
    for (int i = 0; i < events(); i++) {
      json.append(i == 0 ? "" : ", ")
          .append("{\"no\": ")
          .append(i)
          .append(", \"kind\": \"")
          .append(WORDS[random.nextInt(20)])
          .append("\", \"open\": true, \"amount\": ")
          .append(random.nextInt(100_000))
          .append('.')
          .append(10 + random.nextInt(90))
          .append(", \"text\": \"")
          .append(sentence(EVENT - 75))
          .append("\"}");
    }
    return json.append("]}").toString();
  }

  private String sentence(int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(text.isEmpty() ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
    }
    return text.toString();
  }
}
