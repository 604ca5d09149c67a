package io.pgtoaster.it.jsonb.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.error.InvalidSearchException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Searches return the same rows as PostgreSQL's operators on plain jsonb. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edges")
class SearchIT {
  private static final int DOCUMENTS = Integer.getInteger("pgtoaster.test.searched", 150);

  /** The number of documents in one table. */
  private static final int ROUND = 1000;

  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_128);

  /** Empty values, escapes, characters of several bytes, and texts that look like other values. */
  private static final List<String> UNUSUAL =
      List.of(
          "{}",
          "[]",
          "[[]]",
          "\"\"",
          "\"{}\"",
          "\"NULL\"",
          "\"$pgtoaster\"",
          "\"\\\"\\\\\"",
          "\"\u00e4\u20ac\ud83d\ude00\"",
          "{\"$pgtoaster\": 1}",
          "{\"$pgtoaster\": [1]}",
          "1e30",
          "-0.0",
          "12345678901234567890.5");

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  @Parameter Setting setting;

  @AutoClose private DocumentFixture fx;
  private final Random random = new Random(SEED);

  @BeforeEach
  void open() {
    open(ColumnSpec.Key.NUMBER, "");
  }

  private void open(ColumnSpec.Key key, String option) {
    fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed(
                "{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4%s}".formatted(option),
                key));
    fx.run("ALTER TABLE item ADD COLUMN plain jsonb");
  }

  private Object row(String json) {
    Object key = fx.row(json);
    fx.run("UPDATE item SET plain = " + Sql.literal(json) + fx.where(key));
    return key;
  }

  private void index(String kind, String options) {
    fx.run("SELECT pgtoaster.create_index('item', 'doc', '%s', '%s')".formatted(kind, options));
  }

  private static List<String> texts(List<Object> keys) {
    return keys.stream().map(String::valueOf).toList();
  }

  /** Returns the rows that plain jsonb finds. */
  private List<String> plain(String condition) {
    return fx.strings("SELECT id FROM item WHERE " + condition + " ORDER BY id");
  }

  private void assertSame(String probe) {
    List<String> expected = plain("plain @> " + Sql.literal(probe));
    assertThat(texts(fx.documents().search(JsonSearch.containsJson(probe))))
        .as("@> %s", probe)
        .isEqualTo(expected);
    assertThat(
            fx.strings(
                "SELECT p.id FROM pgtoaster.search(NULL::item, 'doc', contains => %s) p ORDER BY 1"
                    .formatted(Sql.literal(probe))))
        .as("SQL, @> %s", probe)
        .isEqualTo(expected);
  }

  private String json(int depth) {
    int kind = random.nextInt(depth > 0 ? 11 : 7);
    return switch (kind) {
      case 0 -> "null";
      case 1 -> String.valueOf(random.nextBoolean());
      case 2, 3 -> random.nextInt(30) + (random.nextBoolean() ? "" : ".0");
      case 4 -> '"' + "s" + random.nextInt(20) + '"';
      case 5 ->
          random.nextInt(4) > 0
              ? "\"w" + random.nextInt(9) + '"'
              : '"' + Documents.words(random.nextInt(5), 300 * random.nextInt(40)) + '"';
      case 6 -> UNUSUAL.get(random.nextInt(UNUSUAL.size()));
      case 7, 8 -> array(depth);
      default -> object(depth);
    };
  }

  private String array(int depth) {
    List<String> elements = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      elements.add(
          elements.isEmpty() || random.nextInt(8) > 0
              ? json(depth - 1)
              : elements.get(random.nextInt(elements.size())));
    }
    return elements.toString();
  }

  private String object(int depth) {
    Map<String, String> members = new LinkedHashMap<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      String key =
          switch (random.nextInt(30)) {
            case 0, 1 -> "$".repeat(1 + random.nextInt(2)) + "pgtoaster";
            case 2 -> "";
            case 3 -> "\u00e4\ud83d\ude00";
            case 4 -> "a\\\"b\\\\c";
            default -> "k" + random.nextInt(9);
          };
      members.put(key.equals("$pgtoaster") && depth == 4 ? "k0" : key, json(depth - 1));
    }
    List<String> texts = new ArrayList<>();
    members.forEach((k, v) -> texts.add('"' + k + "\": " + v));
    return "{" + String.join(", ", texts) + "}";
  }

  /** Returns a part of the document that the document contains, sometimes with changes. */
  private JsonNode part(JsonNode value) {
    if (value.isObject()) {
      var probe = JSON.createObjectNode();
      value
          .properties()
          .forEach(
              m -> {
                if (random.nextInt(3) == 0) {
                  probe.set(m.getKey(), part(m.getValue()));
                }
              });
      return probe;
    }
    if (value.isArray()) {
      var probe = JSON.createArrayNode();
      for (JsonNode element : value) {
        if (random.nextInt(4) == 0) {
          probe.add(part(element));
        }
      }
      return probe;
    }
    return random.nextInt(12) == 0 ? JSON.getNodeFactory().stringNode("s1") : value;
  }

  @Test
  void contains_findsTheSameAsPlainJsonb() throws SQLException {
    for (int left = DOCUMENTS; left > 0; left -= ROUND) {
      if (left < DOCUMENTS) {
        fx.close();
        open();
      }
      findsTheSame(Math.min(left, ROUND));
    }
  }

  private void findsTheSame(int count) throws SQLException {
    List<JsonNode> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String json = i % 10 == 0 ? json(4) : object(4);
      fx.own().insertJson(i + 1, json);
      documents.add(JSON.readTree(json));
    }
    List<String> texts = documents.stream().map(JSON::writeValueAsString).toList();
    try (Connection c = fx.database().connect();
        PreparedStatement s =
            c.prepareStatement(
                "UPDATE item SET plain = d.d::jsonb FROM unnest(?) WITH ORDINALITY d(d, n)"
                    + " WHERE id = d.n")) {
      s.setArray(1, c.createArrayOf("text", texts.toArray()));
      s.executeUpdate();
    }
    List<String> probes = new ArrayList<>();
    int comparisons = 40_000 / count;
    for (int i = 0; i < comparisons; i++) {
      JsonNode probe = part(documents.get(random.nextInt(count)));
      probes.add(i % 20 == 0 ? json(2) : JSON.writeValueAsString(probe));
    }
    assertSame(probes.subList(0, comparisons / 10));
    index("containment", "{}");
    assertSame(probes.subList(comparisons / 10, probes.size()));
  }

  /** Compares the results of many probes, with few statements. */
  private void assertSame(List<String> probes) throws SQLException {
    try (Connection c = fx.database().connect()) {
      List<String> expected = keys(c, "SELECT id FROM item WHERE plain @> p.p", probes);
      List<String> bySql =
          keys(
              c, "SELECT o.id FROM pgtoaster.search(NULL::item, 'doc', contains => p.p) o", probes);
      List<String> transparent = setting.extension() ? transparent(c, probes) : expected;
      for (int i = 0; i < probes.size(); i++) {
        String probe = probes.get(i);
        assertThat(bySql.get(i)).as("seed %s, SQL, @> %s", SEED, probe).isEqualTo(expected.get(i));
        assertThat(transparent.get(i))
            .as("seed %s, transparent, @> %s", SEED, probe)
            .isEqualTo(expected.get(i));
        assertThat(
                fx.documents()
                    .search(JsonSearch.containsJson(probe).withLimit(Integer.MAX_VALUE))
                    .toString())
            .as("seed %s, @> %s", SEED, probe)
            .isEqualTo(expected.get(i));
      }
    }
  }

  @Test
  void plainColumn_isSearchedByItsOperator_pageByPage() {
    List<Object> red = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      red.add(row("{\"colors\": [\"red\", \"blue\"]}"));
      row("{\"colors\": [\"blue\"]}");
    }
    DocumentColumn stock = PgToaster.create(fx.database().dataSource()).documents("item", "plain");
    JsonSearch search = JsonSearch.containsJson("{\"colors\": [\"red\"]}").withLimit(2);

    assertThat(stock.search(search)).isEqualTo(red.subList(0, 2));
    assertThat(stock.search(search.withAfter(red.get(1)))).isEqualTo(red.subList(2, 3));
  }

  /**
   * Returns what the operator finds with transparent SQL, by the containment index if it exists.
   */
  private static List<String> transparent(Connection c, List<String> probes) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.execute("LOAD 'pgtoaster'; SET pgtoaster.transparent = on");
      s.execute("SET enable_seqscan = off; SET jit = off");
      List<String> found = keys(c, "SELECT id FROM item WHERE doc @> p.p", probes);
      s.execute("RESET pgtoaster.transparent; RESET enable_seqscan");
      return found;
    }
  }

  private static List<String> keys(Connection c, String query, List<String> probes)
      throws SQLException {
    try (PreparedStatement s =
        c.prepareStatement(
            "SELECT (SELECT coalesce(string_agg(f.id::text, ', ' ORDER BY f.id), '') FROM ("
                + query
                + ") f) FROM unnest(?::jsonb[]) WITH ORDINALITY p(p, n) ORDER BY p.n")) {
      s.setArray(1, c.createArrayOf("text", probes.toArray()));
      List<String> found = new ArrayList<>();
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          found.add("[" + r.getString(1) + "]");
        }
      }
      return found;
    }
  }

  @Test
  void contains_findsOneValueInLeavesOfEachDepth() {
    index("containment", "{\"fastupdate\": false}");
    StringBuilder elements = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      elements
          .append(i == 0 ? "" : ", ")
          .append("{\"sku\": \"S%d\", \"n\": {\"at\": [%d]}}".formatted(i, i));
    }
    row("{\"variants\": [" + elements + "], \"b\": {\"c\": {\"variants\": [" + elements + "]}}}");
    row("{\"variants\": [{\"sku\": \"S7\"}]}");
    row("{\"other\": [" + elements + "]}");
    row("[" + elements + "]");
    row("\"S7\"");
    row("{\"pair\": [\"first\", {\"variants\": [" + elements + "]}]}");
    for (String probe :
        List.of(
            "{\"variants\": [{\"sku\": \"S7\"}]}",
            "{\"variants\": [{\"n\": {\"at\": [299]}}]}",
            "{\"b\": {\"c\": {\"variants\": [{\"sku\": \"S7\", \"n\": {\"at\": [7]}}]}}}",
            "{\"b\": {\"c\": {\"variants\": [{\"sku\": \"S7\", \"n\": {\"at\": [8]}}]}}}",
            "[{\"sku\": \"S7\"}]",
            "\"S7\"",
            "{\"pair\": [{\"variants\": [{\"sku\": \"S7\"}]}]}",
            // The text of a position is not a key.
            "{\"pair\": {\"1\": {\"variants\": [{\"sku\": \"S7\"}]}}}",
            "{\"pair\": {\" +1\": {\"variants\": [{\"sku\": \"S7\"}]}}}",
            "{\"variants\": [{}]}",
            "{\"variants\": {}}",
            "{\"variants\": []}",
            "{}",
            "[]")) {
      assertSame(probe);
    }
    fx.run(
        "UPDATE item SET doc = pgtoaster.set(doc, '{variants,7,sku}', '\"S8\"') WHERE doc ? 'variants'",
        "UPDATE item SET plain = jsonb_set(plain, '{variants,7,sku}', '\"S8\"') WHERE plain ? 'variants'");
    assertSame("{\"variants\": [{\"sku\": \"S7\"}]}");
    assertSame("{\"variants\": [{\"sku\": \"S8\"}]}");
  }

  @Test
  void text_findsWordsInAnyString() {
    index("text", "{\"config\": \"english\"}");
    String filler = Documents.words(1, 3000);
    Object both =
        row("{\"a\": \"%s running\", \"b\": [{\"t\": \"%s dogs\"}]}".formatted(filler, filler));
    Object one =
        row("{\"a\": \"%s run\", \"b\": [{\"t\": \"cats %s\"}]}".formatted(filler, filler));
    Object small = row("{\"t\": \"a dog runs\"}");
    Object phrase = row("{\"t\": \"%s hot dog %s\", \"u\": \"running\"}".formatted(filler, filler));
    assertThat(found("run dog")).containsExactly(both, small, phrase);
    assertThat(found("run -dog")).containsExactly(one);
    assertThat(found("\"hot dog\" running")).containsExactly(phrase);
    assertThat(found("cat or \"hot dog\"")).containsExactly(one, phrase);
    assertThat(found("zebra")).isEmpty();
    index("containment", "{}");
    assertThat(
            fx.documents().search(JsonSearch.containsJson("{\"u\": \"running\"}").withText("dog")))
        .containsExactly(phrase);
    assertThat(fx.documents().search(JsonSearch.text("run").withLimit(2)))
        .containsExactly(both, one);
    assertThat(fx.documents().search(JsonSearch.text("run").withLimit(2).withAfter(one)))
        .containsExactly(small, phrase);
    assertThatThrownBy(() -> found("-dog"))
        .isInstanceOf(InvalidSearchException.class)
        .hasMessageContaining("none of its words");
    assertThatThrownBy(() -> found("the"))
        .isInstanceOf(InvalidSearchException.class)
        .hasMessageMatching("[^,]*: ERROR: the text search contains no word that is indexed.*");
  }

  @Test
  void rankedSearch_returnsTheBestRowsFirstWithSnippets() {
    index("text", "{\"config\": \"english\"}");
    String filler = Documents.words(1, 3000);
    Object once = row("{\"t\": \"a dog sleeps\"}");
    Object none = row("{\"t\": \"%s cat\"}".formatted(filler));
    Object often =
        row(
            "{\"a\": [\"%s\", \"no word\"], \"b\": [\"the dog and the dog\", \"a dog\"]}"
                .formatted(filler));
    Object far =
        row(
            "{\"a\": \"%s cats %s\", \"b\": [{\"t\": [\"%s\", \"dogs & co\"]}], \"n\": 1}"
                .formatted(filler, filler, filler));
    assertThat(ranked("dog"))
        .containsExactly(
            often + " the <b>dog</b> and the <b>dog</b>",
            once + " a <b>dog</b> sleeps",
            far + " <b>dogs</b> & co");
    assertThat(ranked("dog or cat")).hasSize(4).first().asString().startsWith(far + " ");
    assertThat(ranked("dog cat"))
        .singleElement()
        .asString()
        .startsWith(far + " ")
        .contains("<b>")
        .hasSizeLessThan(500);
    assertThat(ranked("cat -dog")).singleElement().asString().startsWith(none + " ");
    assertThat(ranked("\"dog sleeps\"")).containsExactly(once + " a <b>dog</b> <b>sleeps</b>");
    assertThat(ranked("zebra")).isEmpty();
    assertThat(fx.documents().searchRanked(JsonSearch.text("dog").withLimit(1)))
        .extracting(SearchHit::key)
        .containsExactly(often);
    for (int i = 0; i < 2; i++) {
      assertThat(
              fx.documents()
                  .searchRanked(JsonSearch.containsJson("{\"n\": 1}").withText("dog or sleep")))
          .extracting(SearchHit::key)
          .containsExactly(far);
      assertThat(
              fx.strings(
                  "SELECT (f.found).id || f.snippet FROM pgtoaster.search_ranked(NULL::item, 'doc', 'dog', '{\"n\": 1}') f"))
          .containsExactly(far + "<b>dogs</b> & co");
      index("containment", "{}");
    }
    Object excluded = row("{\"a\": \"zebra\", \"b\": \"broken broken\"}");
    assertThat(ranked("zebra or lion -broken")).containsExactly(excluded + " <b>zebra</b>");
    assertThatThrownBy(() -> ranked("-dog")).isInstanceOf(InvalidSearchException.class);
    assertThatThrownBy(() -> fx.documents().searchRanked(JsonSearch.containsJson("{}")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void text_isSearchedAtPaths() {
    index("text", "{\"config\": \"english\"}");
    String filler = Documents.words(1, 3000);
    Object title =
        row(
            "{\"title\": \"A big dog\", \"reviews\": [{\"text\": \"%s cats\", \"by\": \"dog lover\"}]}"
                .formatted(filler));
    Object review =
        row(
            "{\"title\": \"A cat %s\", \"reviews\": [{\"text\": \"%s\"}, {\"text\": [\"my dogs\", \"two\"]}]}"
                .formatted(filler, filler));
    Object root = row("[\"%s\", {\"1\": {\"t\": \"big dog\"}}]".formatted(filler));
    assertThat(at("dog", "title")).containsExactly(title);
    assertThat(at("big dog", "title")).containsExactly(title);
    assertThat(at("\"dog big\"", "title")).isEmpty();
    assertThat(at("dog", "reviews[*].text")).containsExactly(review);
    assertThat(at("dog", "reviews")).containsExactly(title, review);
    assertThat(at("dog", "title", "reviews[*].text")).containsExactly(title, review);
    assertThat(at("cat -dog", "title")).containsExactly(review);
    assertThat(at("my two dogs", "reviews[*].text")).containsExactly(review);
    assertThat(at("\"dogs two\"", "reviews[*].text")).isEmpty();
    assertThat(at("dog", "[*].1.t")).containsExactly(root);
    assertThat(at("dog or lion", "none.at[*].all")).isEmpty();
    JsonSearch snippet = JsonSearch.text("dog").withTextAt("reviews[*].text");
    assertThat(fx.documents().searchRanked(snippet))
        .singleElement()
        .satisfies(h -> assertThat(h.key()).isEqualTo(review))
        .satisfies(h -> assertThat(h.snippet()).isEqualTo("my <b>dogs</b>"));
    assertThat(
            fx.strings(
                "SELECT f.snippet FROM pgtoaster.search_ranked(NULL::item, 'doc', 'dog',"
                    + " matches_at => '{reviews[*].text}') f"))
        .containsExactly("my <b>dogs</b>");
    assertThatThrownBy(() -> at("dog", "reviews[0]"))
        .isInstanceOf(InvalidSearchException.class)
        .hasMessageContaining("reviews[0]");
    assertThatThrownBy(() -> JsonSearch.containsJson("{}").withTextAt("title"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void text_followsPathsAsWritten() {
    index("text", "{\"config\": \"english\"}");
    Object object = row("{\"r\": {\"p\": {\"t\": \"dog\"}}}");
    Object nested = row("{\"r\": [{\"p\": [{\"t\": \"dog\"}]}]}");
    Object array = row("{\"r\": [1, null, {\"q\": 1}, {\"p\": {\"t\": \"dog\"}}]}");
    assertThat(at("dog", "r.p.t")).containsExactly(object);
    assertThat(at("dog", "r[*].p[*].t")).containsExactly(nested);
    assertThat(at("dog", "r[*].p.t")).containsExactly(array);
    assertThat(at("dog", "r[*].p")).containsExactly(nested, array);
  }

  @Test
  void invalidConditions_areReportedWithoutTheStatement() {
    index("text", "{\"config\": \"english\"}");
    index("path", "{\"paths\": [\"n\"]}");
    for (String search :
        List.of(
            "search(NULL::item, 'doc', matches => 'the')",
            "search_ranked(NULL::item, 'doc', 'the')",
            "search(NULL::item, 'doc', ranges => '{\"path\": \"n\", \"<\": []}')")) {
      assertThatThrownBy(() -> fx.database().run("SELECT pgtoaster." + search))
          .extracting(Throwables::getStackTrace, InstanceOfAssertFactories.STRING)
          .containsAnyOf("contains no word", "no usable bounds")
          .doesNotContain("MATERIALIZED");
    }
  }

  private List<Object> at(String text, String... paths) {
    List<Object> found = fx.documents().search(JsonSearch.text(text).withTextAt(paths));
    assertThat(
            fx.strings(
                "SELECT id FROM pgtoaster.search(NULL::item, 'doc', matches => %s, matches_at => %s) ORDER BY id"
                    .formatted(
                        Sql.literal(text), Sql.literal("{" + String.join(",", paths) + "}"))))
        .isEqualTo(found.stream().map(String::valueOf).toList());
    return found;
  }

  /**
   * Returns the key and the snippet of each row, and checks that the SQL function returns the same.
   */
  private List<String> ranked(String text) {
    List<SearchHit> hits = fx.documents().searchRanked(JsonSearch.text(text));
    assertThat(hits).isSortedAccordingTo(Comparator.comparing(SearchHit::rank).reversed());
    List<String> found = hits.stream().map(h -> h.key() + " " + h.snippet()).toList();
    assertThat(
            fx.strings(
                "SELECT (f.found).id || ' ' || f.snippet FROM pgtoaster.search_ranked(NULL::item, 'doc', %s) f"
                    .formatted(Sql.literal(text))))
        .isEqualTo(found);
    return found;
  }

  private List<Object> found(String text) {
    return fx.documents().search(JsonSearch.text(text));
  }

  @Test
  void textSearch_needsItsIndex() {
    row("{\"a\": 1}");
    assertThatThrownBy(() -> found("a"))
        .isInstanceOf(UnsupportedCapabilityException.class)
        .hasMessageContaining("create_index");
    assertThatThrownBy(() -> fx.documents().searchRanked(JsonSearch.text("a")))
        .isInstanceOf(UnsupportedCapabilityException.class)
        .hasMessageContaining("create_index");
    assertThatThrownBy(() -> fx.run("SELECT pgtoaster.search_ranked(NULL::item, 'doc', 'a')"))
        .hasStackTraceContaining("has no text index");
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPOSITE", "TENANT"})
  void compositeKey_isReturnedAsList(ColumnSpec.Key key) {
    fx.close();
    open(key, key == ColumnSpec.Key.TENANT ? ", \"leading_key\": \"tenant\"" : "");
    index("containment", "{}");
    String words = Documents.words(1, 900);
    Object first = fx.row("{\"a\": [\"%s\"], \"n\": 1}".formatted(words));
    assertThat(fx.documents().search(JsonSearch.containsJson("{\"a\": [\"%s\"]}".formatted(words))))
        .hasToString("[" + first + "]");
    Object second = fx.row("{\"n\": 1}");
    List<Object> found = fx.documents().search(JsonSearch.contains(Map.of("n", 1)));
    assertThat(found).hasSize(2);
    assertThat(found.stream().map(k -> fx.documents().text(k)).toList())
        .containsExactlyInAnyOrder(fx.documents().text(first), fx.documents().text(second));
    assertThat(fx.documents().search(JsonSearch.contains(Map.of("n", 1)).withAfter(found.get(0))))
        .containsExactly(found.get(1));
    index("text", "{\"config\": \"simple\"}");
    Object third = fx.row("{\"t\": \"zebra\"}");
    assertThat(fx.documents().searchRanked(JsonSearch.text("zebra")))
        .singleElement()
        .satisfies(
            h -> assertThat(fx.documents().text(h.key())).isEqualTo(fx.documents().text(third)));
  }
}
