package io.pgtoaster.it.kit;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.util.List;
import java.util.Random;

public final class Documents {
  private static final List<String> WORDS =
      List.of("north", "über", "日本", "😀", "a \\\"quote\\\"", "back\\\\slash", "", "tab\\t");

  private Documents() {}

  /**
   * Returns a document with members of all kinds, some too large for a row: an array and an object
   * with this many parts, a long string, and nested members.
   */
  public static String big(int parts) {
    StringBuilder s =
        new StringBuilder("{\"id\": 7, \"name\": \"big\", \"none\": null, \"yes\": true");
    s.append(
        ", \"price\": 12.50, \"empty\": {}, \"nothing\": [], \"few\": [1, \"two\", null, [4]]");
    s.append(", \"items\": [");
    for (int i = 0; i < parts; i++) {
      s.append(i == 0 ? "" : ", ").append(part(i));
    }
    s.append("], \"index\": {");
    for (int i = 0; i < parts; i++) {
      s.append(i == 0 ? "" : ", ").append("\"k%d\": %s".formatted(i * 7, part(i)));
    }
    s.append("}, \"text\": \"").append(words(3, parts * 40));
    s.append("\", \"deep\": {\"a\": {\"b\": {\"c\": [");
    for (int i = 0; i < parts; i++) {
      s.append(i == 0 ? "" : ", ").append("[%d, {\"x\": \"%s\"}]".formatted(i, words(i, 30)));
    }
    return s.append("], \"n\": 5}}, \"list\": [[1, 2], [3, {\"y\": [1, 2, 3]}]]}}").toString();
  }

  /**
   * Returns PostgreSQL's form of the text, because a stream of a split document has its members in
   * stored order.
   */
  public static String canonical(String json) {
    return JsonbText.text(Json.readTree(json));
  }

  private static String part(int i) {
    return "{\"no\": %d, \"text\": \"%s\", \"tags\": [\"t%d\", %d.5], \"sum\": %d}"
        .formatted(i, words(i, 40), i, i, i * 100);
  }

  /** Returns the text of a JSON string without quotes. */
  public static String words(long seed, int length) {
    Random random = new Random(seed);
    StringBuilder s = new StringBuilder();
    while (s.length() < length) {
      s.append(WORDS.get(random.nextInt(WORDS.size()))).append(random.nextInt(1000)).append(' ');
    }
    return s.toString();
  }
}
