package io.pgtoaster.it.jsonb.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Words and phrases are found wherever a long string is cut into pieces. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
class LongStringSearchIT {
  /** Strings of more than 8 KB are cut into pieces of 1 to 2 KB, with up to 4 in an inner node. */
  private static final String SMALL = "{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}";

  private static final String SPLIT = "{\"z\": [\"" + "other ".repeat(5000) + "\"]}";

  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_129);
  private static final int TEXTS = Integer.getInteger("pgtoaster.test.searched", 25);
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Parameter Setting setting;

  @AutoClose private DocumentFixture fx;

  private void open(String options, String config) {
    fx = new DocumentFixture(setting, DocumentSpec.keyed(options));
    fx.run(
        "SELECT pgtoaster.create_index('item', 'doc', 'text', '{\"config\": \"" + config + "\"}')");
  }

  /** Returns rows with a string, each written in another way. */
  private List<Object> write(String text) {
    String json = NODES.stringNode(text).toString();
    Object put = fx.row("{\"t\": " + json + "}");
    Object updated = fx.row(SPLIT);
    fx.run(
        "UPDATE item SET doc = pgtoaster.set(doc, '{t}', "
            + Sql.literal(json)
            + ")"
            + fx.where(updated));
    Object set = fx.row(SPLIT);
    fx.own().at(set, DocumentPath.of("t")).set(NODES.stringNode(text));
    Object compacted = fx.row(SPLIT);
    fx.own().at(compacted, DocumentPath.of("t")).set(NODES.stringNode(text));
    fx.own().compact(compacted);
    // Many changes make searches slow until a vacuum.
    fx.run("VACUUM ANALYZE");
    return List.of(put, updated, set, compacted);
  }

  private List<String> pieces(Object key) {
    return fx.strings(
        "SELECT n.value #>> '{}' FROM (SELECT o.doc AS d FROM item o%s) o JOIN %s n ON n.doc = CAST(o.d #>> '{$pgtoaster,0}' AS bigint) WHERE n.kind = 's' AND n.value IS NOT NULL ORDER BY n.id"
            .formatted(fx.where(key), fx.table("node")));
  }

  private List<Object> found(String text) {
    List<Object> found = fx.documents().search(JsonSearch.text(text));
    assertThat(
            fx.strings(
                "SELECT p.id FROM pgtoaster.search(NULL::item, 'doc', matches => %s) p ORDER BY p.id"
                    .formatted(Sql.literal(text))))
        .isEqualTo(found.stream().map(String::valueOf).toList());
    return found;
  }

  /** Returns the distance of the borders to check: each takes about 14 searches. */
  private static int step(List<String> pieces) {
    return 1 + pieces.size() / 8;
  }

  private void assertBorders(List<Object> keys, String separator) {
    List<String> pieces = pieces(keys.get(0));
    assertThat(pieces.size()).isGreaterThan(4);
    for (int i = 1; i < pieces.size(); i += step(pieces)) {
      List<String> ends = List.of(pieces.get(i - 1).split(separator, 0));
      List<String> starts = List.of(pieces.get(i).split(separator, 0));
      String last = ends.get(ends.size() - 1);
      String second = starts.size() > 1 ? starts.get(1) : "";
      String first = starts.get(0);
      assertThat(found(last)).as("the last word of piece %d", i).containsAll(keys);
      assertThat(found(first)).as("the first word after piece %d", i).containsAll(keys);
      assertThat(found("\"" + last + " " + first + "\"")).as("border %d", i).isEqualTo(keys);
      assertThat(
              found(
                  "\""
                      + ends.get(ends.size() - 2)
                      + " "
                      + last
                      + " "
                      + first
                      + " "
                      + second
                      + "\""))
          .as("border %d", i)
          .isEqualTo(keys);
      assertThat(found("\"" + first + " " + last + "\"")).isEmpty();
      assertThat(found("\"" + last + " " + second + "\"")).hasSize(starts.size() > 1 ? 0 : 4);
      assertThat(found(first + " -\"" + last + " " + first + "\"")).isEmpty();
    }
  }

  private static String words(int bytes, String separator, IntFunction<String> word) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < bytes; i++) {
      text.append(i == 0 ? "" : separator).append(word.apply(i));
    }
    return text.toString();
  }

  @Test
  void wordsAndPhrasesAtBorders_areFound() {
    open(SMALL, "simple");
    assertBorders(write(words(50_000, " ", i -> "w" + i)), " ");
  }

  @Test
  void longWords_areFound() {
    open(SMALL, "simple");
    assertBorders(write(words(20_000, "\n", i -> "w" + "abcdefghij".repeat(10 + i % 9) + i)), "\n");
  }

  @Test
  void wordsOfCharactersOfSeveralBytes_areFound() {
    open(SMALL, "simple");
    assertBorders(
        write(words(12_000, " ", i -> "w\u00f6rter\u0436\u0438\u0437\u043d\u044c" + i)), " ");
  }

  @Test
  void wordsBetweenCommas_areFound() {
    open(SMALL, "simple");
    assertBorders(write(words(12_000, ",", i -> "w" + i + "x")), ",");
  }

  @Test
  void largeString_isFound() {
    open("{}", "simple");
    assertBorders(write(words(500_000, " ", i -> "w" + i)), " ");
  }

  @Test
  void phraseAcrossABorder_isRankedAndShown() {
    open(SMALL, "english");
    String text = words(30_000, " ", i -> i % 2 == 0 ? "the" : "w" + i);
    Object key = fx.row(NODES.objectNode().put("t", text).toString());
    Object other = fx.row(NODES.objectNode().put("t", "w1 w2").toString());
    List<String> pieces = pieces(key);
    int borders = 0;
    for (int i = 1; i < pieces.size(); i += step(pieces)) {
      Matcher last = Pattern.compile("w\\d+").matcher(pieces.get(i - 1));
      String before = last.results().map(r -> r.group()).reduce((a, b) -> b).orElseThrow();
      Matcher next = Pattern.compile("w\\d+").matcher(pieces.get(i));
      assertThat(next.find()).isTrue();
      String phrase = "\"" + before + " the " + next.group() + "\"";
      borders++;
      assertThat(found("\"" + before + " " + next.group() + "\"")).isEmpty();
      assertThat(found("\"" + before + " the the " + next.group() + "\"")).isEmpty();
      List<SearchHit> hits = fx.documents().searchRanked(JsonSearch.text(phrase + " or w2"));
      assertThat(hits).extracting(SearchHit::key).contains(key, other);
      SearchHit hit = hits.stream().filter(h -> h.key().equals(key)).findAny().orElseThrow();
      assertThat(hit.snippet())
          .contains("<b>" + before + "</b> the <b>" + next.group() + "</b>")
          .hasSizeLessThan(1000);
      assertThat(hit.rank())
          .isEqualTo(
              Float.parseFloat(
                  fx.string(
                      "SELECT ts_rank(to_tsvector('english', t), websearch_to_tsquery('english', t)) FROM (SELECT %s AS t) t"
                          .formatted(Sql.literal(phrase)))));
      assertThat(
              fx.strings(
                  "SELECT f.snippet FROM pgtoaster.search_ranked(NULL::item, 'doc', %s) f"
                      .formatted(Sql.literal(phrase))))
          .containsExactly(hit.snippet());
    }
    assertThat(borders).isGreaterThan(4);
  }

  @Test
  void stringCutByOlderCode_isFoundAfterCompact() {
    open(SMALL, "simple");
    Object key = fx.row(NODES.objectNode().put("t", words(20_000, " ", i -> "w" + i)).toString());
    List<String> pieces = pieces(key);
    // Older code cut strings at a fixed length, and therefore inside words.
    String moved = pieces.get(0).substring(pieces.get(0).length() - 3);
    fx.runWithoutTriggers(
        "UPDATE %s n SET value = to_jsonb(left(n.value #>> '{}', -3)) WHERE n.value = to_jsonb(%s::text)"
            .formatted(fx.table("node"), Sql.literal(pieces.get(0))),
        "UPDATE %s n SET value = to_jsonb(%s || (n.value #>> '{}')) WHERE n.value = to_jsonb(%s::text)"
            .formatted(fx.table("node"), Sql.literal(moved), Sql.literal(pieces.get(1))));
    assertThat(pieces(key).get(1)).startsWith(moved);
    String word = pieces.get(0).substring(pieces.get(0).lastIndexOf('w')).strip();
    assertThat(found(word)).isEmpty();
    fx.own().compact(key);
    assertThat(pieces(key)).containsExactlyInAnyOrderElementsOf(pieces);
    assertThat(found(word)).containsExactly(key);
  }

  @Test
  void randomTexts_areFoundLikePlainJsonb() {
    open(SMALL, "english");
    fx.run("ALTER TABLE item ADD COLUMN words tsvector");
    Random random = new Random(SEED);
    List<String> words =
        IntStream.range(0, 1500)
            .mapToObj(
                i ->
                    random.nextInt(8) == 0
                        ? List.of("the", "and", "of", "a").get(random.nextInt(4))
                        : word(random))
            .toList();
    List<List<String>> texts = new ArrayList<>();
    for (int i = 0; i < TEXTS; i++) {
      ArrayNode strings = NODES.arrayNode();
      for (int s = 0; s <= random.nextInt(3); s++) {
        List<String> text = new ArrayList<>();
        int length = random.nextInt(6) == 0 ? 20 : 1200 + random.nextInt(2500);
        for (int w = 0; w < length; w++) {
          text.add(words.get(random.nextInt(words.size())));
        }
        texts.add(text);
        strings.add(joined(random, text));
      }
      ObjectNode document = NODES.objectNode().put("n", i);
      document.set("t", random.nextBoolean() ? strings : strings.get(0));
      Object key = fx.row(document.toString());
      fx.run(
          "UPDATE item SET words = jsonb_to_tsvector('english', %s, '[\"string\"]')"
                  .formatted(Sql.literal(document.toString()))
              + fx.where(key));
      if (random.nextInt(3) == 0) {
        fx.own().at(key, DocumentPath.of("t")).set(document.get("t"));
      }
    }
    fx.run("VACUUM ANALYZE");
    int matches = 0;
    for (int q = 0; q < 120; q++) {
      String query =
          IntStream.rangeClosed(0, random.nextInt(3))
              .mapToObj(i -> part(random, texts, words))
              .collect(Collectors.joining(random.nextBoolean() ? " " : " or "));
      List<String> expected =
          fx.strings(
              "SELECT id FROM item WHERE words @@ websearch_to_tsquery('english', %s) AND numnode(websearch_to_tsquery('english', %1$s)) > 0 ORDER BY id"
                  .formatted(Sql.literal(query)));
      List<String> actual;
      try {
        actual = found(query).stream().map(String::valueOf).toList();
      } catch (io.pgtoaster.error.InvalidSearchException e) {
        continue;
      }
      matches += actual.size();
      assertThat(actual).as("seed %d: %s", SEED, query).isEqualTo(expected);
    }
    assertThat(matches).isGreaterThan(200);
  }

  private static String word(Random random) {
    int length = random.nextInt(40) == 0 ? 120 : 2 + random.nextInt(9);
    return random
        .ints(length, 'b', 'z')
        .filter(c -> "aeiou".indexOf(c) < 0)
        .mapToObj(Character::toString)
        .collect(Collectors.joining("", "q", "\u00e4".repeat(random.nextInt(2)) + "x"));
  }

  private static String joined(Random random, List<String> words) {
    List<String> separators = List.of(" ", " ", " ", "\n", ", ", ". ", "\t", " (", "; ");
    return words.stream()
        .map(w -> w + separators.get(random.nextInt(separators.size())))
        .collect(Collectors.joining());
  }

  private static String part(Random random, List<List<String>> texts, List<String> words) {
    if (random.nextInt(4) == 0) {
      String word = words.get(random.nextInt(words.size()));
      return random.nextInt(4) == 0 ? "-" + word : word;
    }
    List<String> text = texts.get(random.nextInt(texts.size()));
    int length = Math.min(2 + random.nextInt(4), text.size());
    int from = random.nextInt(text.size() - length + 1);
    List<String> phrase = new ArrayList<>(text.subList(from, from + length));
    if (random.nextInt(5) == 0) {
      phrase.set(0, words.get(random.nextInt(words.size())));
    }
    return "\"" + String.join(" ", phrase) + "\"";
  }
}
