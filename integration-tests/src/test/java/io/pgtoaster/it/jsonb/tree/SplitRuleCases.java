package io.pgtoaster.it.jsonb.tree;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Thinned;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Documents for {@link SplitRuleIT}. */
final class SplitRuleCases {
  private static final int COUNT = 300;

  private static final List<String> OPTIONS =
      List.of(
          "{}",
          "{\"row_budget\": 256}",
          "{\"row_budget\": 8000}",
          "{\"row_budget\": 700, \"leaf_size\": 2048}",
          "{\"keep_inline\": [\"/k1\", \"/k3/deep\"]}",
          "{\"row_budget\": 900, \"keep_inline\": [\"/k0/a\", \"/k2\", \"/$pgtoaster\","
              + " \"/x~1y\"]}");

  /** The sizes in bytes at which a rule has a different result. */
  private static final int[] BOUNDARIES = {0, 40, 48, 96, 128, 250, 480, 1000, 1900, 8192, 16_384};

  private SplitRuleCases() {}

  /**
   * A document; the test adds a large member that always leaves the row.
   *
   * @param options the options of the column
   * @param other the size in bytes of another column of the row
   * @param members the members of the document
   */
  record Case(String name, String options, int other, ObjectNode members) {
    Case(String name, String options, int other, String members) {
      this(name, options, other, (ObjectNode) Json.readTree("{" + members + "}"));
    }
  }

  /**
   * Returns the named cases, the cases around the row's limits, and a third of the random cases.
   */
  static List<Case> all(long seed) {
    List<Case> all = new ArrayList<>(NAMED);
    for (int length = 1640; length < 1720; length += 2) {
      all.add(plain("a row filled by " + length, FACTS + "\"fill\": " + text(length)));
    }
    for (int count = 13; count < 23; count++) {
      all.add(plain(count + " of 400", FACTS + members(0, count, i -> text(400))));
      all.add(plain(count * 2 + " of 40", FACTS + members(0, count * 2, i -> text(40))));
    }
    Random random = new Random(seed);
    Thinned thinned = new Thinned(0);
    for (int number = all.size(); number < COUNT; number++) {
      String options = OPTIONS.get(random.nextInt(OPTIONS.size()));
      int other = random.nextInt(4) == 0 ? random.nextInt(2_000) : 0;
      ObjectNode members = JsonNodeFactory.instance.objectNode();
      int count = 1 + random.nextInt(random.nextInt(5) == 0 ? 60 : 10);
      for (int i = 0; i < count; i++) {
        members.set(key(random, i), value(random, count));
      }
      if (thinned.takes()) {
        all.add(new Case("random " + number, options, other, members));
      }
    }
    return all;
  }

  private static String key(Random random, int i) {
    return switch (random.nextInt(20)) {
      case 0 -> "$pgtoaster";
      case 1 -> "$$pgtoaster";
      case 2 -> "x/y";
      case 3 -> "";
      case 4 -> "\u043a\u043b\u044e\u0447" + i;
      case 5 -> "k".repeat(600) + i;
      default -> "k" + i;
    };
  }

  private static JsonNode value(Random random, int count) {
    int boundary = BOUNDARIES[random.nextInt(count > 20 ? 6 : BOUNDARIES.length)];
    int length = Math.max(0, boundary - 16 + random.nextInt(20));
    return Json.readTree(
        switch (random.nextInt(12)) {
          case 0 -> List.of("{}", "[]", "true", "null", "0").get(random.nextInt(5));
          case 1 -> "9".repeat(Math.min(length, 2_000) + 1);
          case 2 -> "1" + "0".repeat(Math.min(length, 2_000));
          case 3 -> "0." + "0".repeat(Math.min(length, 2_000)) + "25";
          case 4 -> '"' + "\u00e9".repeat(length / 2) + '"';
          case 5 -> "[1, " + text(length) + ", null]";
          case 6 -> "{\"a\": " + text(length) + ", \"b\": []}";
          case 7 ->
              "{\"deep\": {\"list\": ["
                  + text(length)
                  + ", 1], \"to\": 1}, \"rest\": "
                  + text(300)
                  + "}";
          case 8 -> "[" + "7, ".repeat(length / 12) + "8]";
          case 9 -> "{\"$pgtoaster\": " + text(length) + "}";
          default -> text(length);
        });
  }

  static String text(int length) {
    return '"' + "x".repeat(length) + '"';
  }

  private static String members(int from, int to, IntFunction<String> value) {
    return IntStream.range(from, to)
        .mapToObj(i -> "\"m%02d\": %s".formatted(i, value.apply(i)))
        .collect(Collectors.joining(", "));
  }

  private static Case plain(String name, String members) {
    return new Case(name, "{}", 0, members);
  }

  private static Case pinned(String name, String pins, String members) {
    return new Case(name, "{\"keep_inline\": " + pins + "}", 0, members);
  }

  private static final String FACTS = "\"name\": \"Ada\", \"price\": 12.50, \"sold\": false, ";
  private static final String VARIANTS =
      "\"variants\": ["
          + IntStream.range(0, 60)
              .mapToObj(i -> "{\"sku\": \"v%03d\", \"stock\": %d}".formatted(i, i * 7))
              .collect(Collectors.joining(", "))
          + "]";

  private static final List<Case> NAMED =
      List.of(
          plain("small members", FACTS + members(0, 20, i -> text(20))),
          plain("one large member", FACTS + "\"m\": " + text(3_000)),
          plain("the largest leave first", FACTS + members(0, 10, i -> text(100 + 40 * i))),
          plain("equal sizes", FACTS + members(0, 9, i -> text(300))),
          plain("strings around the least size", members(0, 25, i -> text(90 + i % 12))),
          plain("numbers", FACTS + members(0, 12, i -> "1".repeat(200 + 60 * i))),
          plain("objects", FACTS + members(0, 8, i -> "{\"a\": " + text(40 + 60 * i) + "}")),
          plain("arrays", FACTS + members(0, 8, i -> "[1, " + text(60 * i) + ", null]")),
          plain("literals", FACTS + members(0, 40, i -> i % 2 == 0 ? "false" : "true")),
          plain(
              "keys beyond ASCII", "\"é\": 1, \"ключ\": " + text(700) + ", \"鍵\": " + text(1_500)),
          plain("many of middle size", FACTS + members(0, 30, i -> text(150 + i))),
          plain("many small ones", FACTS + members(0, 90, i -> text(50))),
          plain("very many small ones", FACTS + members(0, 900, i -> text(10 + i % 5))),
          pinned("a large pinned member", "[\"/variants\"]", FACTS + VARIANTS),
          pinned(
              "a large pinned member beside others",
              "[\"/variants\"]",
              FACTS + VARIANTS + ", " + members(0, 8, i -> text(100 + 50 * i))),
          pinned(
              "a large pinned member beside many small ones",
              "[\"/variants\"]",
              FACTS + VARIANTS + ", " + members(0, 24, i -> text(40))),
          pinned(
              "a pinned member larger than a page",
              "[\"/wide\"]",
              FACTS + "\"wide\": " + text(12_000) + ", " + members(0, 6, i -> text(200))),
          pinned(
              "two pinned members",
              "[\"/variants\", \"/m03\"]",
              FACTS + VARIANTS + ", " + members(0, 8, i -> text(400))),
          pinned("a small pinned member", "[\"/name\"]", FACTS + members(0, 9, i -> text(300))),
          pinned(
              "a pin that nothing meets",
              "[\"/other\", \"/name/first\"]",
              FACTS + members(0, 9, i -> text(300))),
          pinned(
              "a part of an object",
              "[\"/address/city\"]",
              FACTS
                  + "\"address\": {\"city\": \"Berlin\", \"street\": "
                  + text(1_200)
                  + ", \"notes\": "
                  + text(1_400)
                  + "}"),
          pinned(
              "a large part of an object",
              "[\"/address/map\"]",
              FACTS
                  + "\"address\": {\"city\": \"Berlin\", \"map\": "
                  + text(2_500)
                  + ", \"notes\": "
                  + text(700)
                  + "}, "
                  + members(0, 5, i -> text(300))),
          pinned(
              "an object whose small rest is large",
              "[\"/address/city\"]",
              FACTS + "\"address\": {\"city\": \"Berlin\", " + members(0, 60, i -> text(40)) + "}"),
          pinned(
              "a pin below a pin",
              "[\"/address\", \"/address/city\"]",
              FACTS
                  + "\"address\": {\"city\": \"Berlin\", \"map\": "
                  + text(2_500)
                  + "}, "
                  + members(0, 5, i -> text(500))),
          new Case(
              "a small row", "{\"row_budget\": 256}", 0, FACTS + members(0, 5, i -> text(110))),
          new Case(
              "a small row with a pinned member",
              "{\"row_budget\": 256, \"keep_inline\": [\"/m04\"]}",
              0,
              FACTS + members(0, 5, i -> text(110))),
          new Case(
              "a large row", "{\"row_budget\": 8000}", 0, FACTS + members(0, 12, i -> text(900))),
          new Case(
              "small members beside a wide column",
              "{}",
              1_900,
              FACTS + members(0, 9, i -> text(40))),
          new Case(
              "others beside a wide column",
              "{}",
              1_900,
              FACTS + members(0, 4, i -> text(80 + 40 * i))));
}
