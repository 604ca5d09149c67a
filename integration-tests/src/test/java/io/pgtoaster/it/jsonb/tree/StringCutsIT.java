package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Every writer cuts a long string at the same places: {@code put} and {@code compact} in Java or C,
 * edits as values in PL/pgSQL, single edits in PL/pgSQL or C. With leaves of 512 bytes, strings of
 * more than 8,192 bytes are cut into pieces of 1,025 to 2,048 characters.
 */
class StringCutsIT {
  private static final List<String> CHARACTERS =
      List.of(
          " ", "\n", "\t", ",", ";", ".", "\u00a0", "\u3000", "\u00e4", "\ud83d\ude00", "\u65e5");

  /**
   * A string and the lengths of its pieces; if there are none, the lengths that {@code put} writes.
   */
  private record Case(String name, String text, List<Integer> pieces) {
    Case(String name, String text, Integer... pieces) {
      this(name, text, List.of(pieces));
    }
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    cases.add(new Case("words", "abcd ".repeat(1800), 2045, 2045, 2045, 2045, 820));
    cases.add(new Case("no white space", "x".repeat(8500), 2048, 2048, 2048, 2048, 308));
    cases.add(new Case("as long as possible in one piece", "x ".repeat(4096), 8192));
    cases.add(
        new Case("longer by one character", "x ".repeat(4096) + "x", 2048, 2048, 2048, 2048, 1));
    for (int at : new int[] {1, 1024, 1025, 1026, 2047, 2048, 2049}) {
      String text = "x".repeat(at - 1) + " " + "x".repeat(8500 - at);
      int first = at > 1024 && at <= 2048 ? at : 2048;
      cases.add(
          new Case(
              "white space as character " + at,
              text,
              first,
              2048,
              2048,
              2048,
              8500 - first - 3 * 2048));
    }
    for (String space : List.of(" ", "\t", "\n", "\u000b", "\f", "\r")) {
      cases.add(
          new Case(
              "white space " + (int) space.charAt(0),
              "abc,de\u00e9".repeat(215) + space + "fg;hij".repeat(1500),
              1506,
              2043,
              2046,
              2046,
              2046,
              819));
    }
    cases.add(new Case("no-break spaces", "abcd\u00a0".repeat(1800), 2048, 2048, 2048, 2048, 808));
    cases.add(new Case("commas", "ab,".repeat(3000), 2046, 2046, 2046, 2046, 816));
    cases.add(
        new Case("semicolons", "xx" + "a.b;".repeat(2100) + ".", 2046, 2048, 2048, 2048, 213));
    for (String separator : List.of("\u3000", "\u3001", "\u3002", "\uff0c", "\uff1b")) {
      cases.add(
          new Case(
              "ideographic separator " + (int) separator.charAt(0),
              "\u3042" + ("\u65e5\u672c" + separator + "\u8a9e\u3042").repeat(600),
              2044,
              957));
    }
    cases.add(new Case("four bytes each", "\ud83d\ude00".repeat(3000), 2048, 952));
    cases.add(
        new Case(
            "words of four bytes each",
            "\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00 ".repeat(600),
            2045,
            955));
    cases.add(new Case("escaped", "\"\\\n\u00e4a\u0001".repeat(1400), 2043, 2046, 2046, 2046, 219));
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 45));
    for (int i = 0; i < 15; i++) {
      int spaces = random.nextInt(3000);
      StringBuilder text = new StringBuilder();
      while (text.length() < 9000) {
        int kind = random.nextInt(3000);
        text.append(
            kind < spaces / (i % 3 == 0 ? 2000 : 1)
                ? CHARACTERS.get(random.nextInt(CHARACTERS.size()))
                : Character.toString('a' + random.nextInt(26)));
      }
      cases.add(new Case("random " + i, text.toString()));
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
  void pieces_areTheSame_forEveryWriter(Setting setting) throws Exception {
    Map<String, Object> expected = new LinkedHashMap<>();
    Map<String, Object> actual = new LinkedHashMap<>();
    try (DocumentFixture fx =
        new DocumentFixture(setting, DocumentSpec.keyed("{\"leaf_size\": 512, \"fan_out\": 4}"))) {
      for (Case c : cases()) {
        Map<String, Object> rows = write(fx, c.text());
        List<Integer> lengths = c.pieces().isEmpty() ? pieces(fx, rows.get("put")) : c.pieces();
        for (Map.Entry<String, Object> written : rows.entrySet()) {
          String name = c.name() + ", " + written.getKey();
          expected.put(name, lengths);
          actual.put(name, pieces(fx, written.getValue()));
          assertThat(fx.own().at(written.getValue(), DocumentPath.of("t")).text())
              .map(Documents::canonical)
              .as(name)
              .contains(
                  Documents.canonical(JsonNodeFactory.instance.stringNode(c.text()).toString()));
          assertThat(fx.own().verify(written.getValue())).isEmpty();
        }
      }
      fx.afterTest();
    }
    assertThat(actual).isEqualTo(expected);
  }

  private static Map<String, Object> write(DocumentFixture fx, String text) {
    String json = JsonNodeFactory.instance.objectNode().put("t", text).toString();
    String value = Sql.literal(JsonNodeFactory.instance.stringNode(text).toString());
    Map<String, Object> rows = new LinkedHashMap<>();
    rows.put("put", fx.row(json));
    Object plain = fx.row("{}");
    fx.run("UPDATE item SET doc = " + Sql.literal(json) + fx.where(plain));
    fx.own().compact(plain);
    rows.put("compacted", plain);
    Object edited = fx.row("{\"z\": \"%s\"}".formatted(Documents.words(1, 3000)));
    fx.run("UPDATE item SET doc = pgtoaster.set(doc, '{t}', " + value + ")" + fx.where(edited));
    rows.put("edited by an update", edited);
    Object set = fx.row("{\"z\": \"%s\"}".formatted(Documents.words(1, 3000)));
    fx.own().at(set, DocumentPath.of("t")).set(JsonNodeFactory.instance.stringNode(text));
    rows.put("set", set);
    return rows;
  }

  /** Returns the lengths of the pieces, in order of their numbers. */
  private static List<Integer> pieces(DocumentFixture fx, Object key) {
    return fx
        .strings(
            "SELECT length(n.value #>> '{}') FROM (SELECT o.doc AS d FROM item o%s) o JOIN %s n ON n.doc = CAST(o.d #>> '{$pgtoaster,0}' AS bigint) AND n.id <> coalesce(CAST(o.d #>> '{z,$pgtoaster}' AS bigint), 0) WHERE n.kind = 's' AND n.value IS NOT NULL ORDER BY n.id"
                .formatted(fx.where(key), fx.table("node")))
        .stream()
        .map(Integer::valueOf)
        .toList();
  }
}
