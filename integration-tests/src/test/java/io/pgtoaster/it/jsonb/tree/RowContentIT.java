package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What of a document stays in its row. The rule is written three times: for {@code put} in Java,
 * for edits as values in PL/pgSQL, for the extension in C.
 */
class RowContentIT {
  /**
   * A document, and what its row is to hold: members out of line are {@code -}, an overflow branch
   * is {@code +}.
   *
   * @param options of the column
   * @param other bytes of another column of the row
   * @param members of the document, beside a large one
   */
  private record Case(String name, String options, int other, String members) {}

  private static String text(int length) {
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

  private static final List<Case> CASES =
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

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void rowContent_isTheSame_whoeverWritesTheDocument(Setting setting) throws Exception {
    for (String options : CASES.stream().map(Case::options).distinct().toList()) {
      try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed(options))) {
        fx.database()
            .run("ALTER TABLE item ADD wide text", "ALTER TABLE item ALTER wide SET STORAGE PLAIN");
        for (Case c : CASES) {
          if (c.options().equals(options)) {
            check(fx, c);
          }
        }
        fx.afterTest();
      }
    }
  }

  private static void check(DocumentFixture fx, Case c) {
    String large = "\"zz\": " + text(20_000);
    String document = "{" + c.members() + ", " + large + "}";
    Object put = row(fx, c);
    fx.own().putJson(put, document);
    String expected = content(fx, put);
    Object compacted = row(fx, c);
    fx.database().run("UPDATE item SET doc = " + Sql.literal(document) + fx.where(compacted));
    fx.own().compact(compacted);
    assertThat(content(fx, compacted)).as("%s, compacted", c.name()).isEqualTo(expected);
    if (!expected.contains("+")) {
      // An edit gives each member a branch of its own.
      Object edited = row(fx, c);
      fx.own().putJson(edited, "{" + large + "}");
      fx.database()
          .run(
              "UPDATE item SET doc = pgtoaster.merge(doc, "
                  + Sql.literal("{" + c.members() + "}")
                  + ")"
                  + fx.where(edited));
      assertThat(content(fx, edited)).as("%s, edited", c.name()).isEqualTo(expected);
    }
    for (Object key : List.of(put, compacted)) {
      fx.assertDocument(key, document);
    }
    if (c.members().startsWith(FACTS) && !c.name().startsWith("very many")) {
      assertThat(
              fx.database()
                  .string(
                      "SELECT concat(doc->>'name', doc->>'price', doc->>'sold') FROM item"
                          + fx.where(put)))
          .as(c.name())
          .isEqualTo("Ada12.50false");
    }
  }

  private static Object row(DocumentFixture fx, Case c) {
    Object key = fx.row();
    fx.database().run("UPDATE item SET wide = repeat('w', " + c.other() + ")" + fx.where(key));
    return key;
  }

  /** What the row holds, with the numbers of documents and nodes left out. */
  private static String content(DocumentFixture fx, Object key) {
    return fx.database()
        .string("SELECT pgtoaster.stored(doc) FROM item" + fx.where(key))
        .replaceAll("\\{\"\\$pgtoaster\": \\d+}", "-")
        .replaceAll("\"\\$pgtoaster\": \\[\\d+]", "\"\\$pgtoaster\": []")
        .replaceAll("\"\\$pgtoaster\": \\[\\d+, \\d+]", "\"\\$pgtoaster\": [+]");
  }
}
