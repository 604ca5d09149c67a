package io.pgtoaster.it.jsonb.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.JsonRange;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.InvalidSearchException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Searches return where documents match, the same for split and for plain documents. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
class SearchMatchesIT {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_130);

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final List<String> WORDS = List.of("dog", "cat", "gift", "zebra", "lion", "fox");

  private static final List<String> PATHS = List.of("v[*].p", "v.p", "p", "[*]", "a[*][*]");

  private static final String PAD = Documents.words(1, 600);

  @Parameter Setting setting;

  @AutoClose private DocumentFixture fx;
  private final Random random = new Random(SEED);

  @BeforeEach
  void open() {
    open(ColumnSpec.Key.NUMBER);
  }

  private void open(ColumnSpec.Key key) {
    fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed(
                "{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4%s}"
                    .formatted(key == ColumnSpec.Key.TENANT ? ", \"leading_key\": \"tenant\"" : ""),
                key));
    fx.run("ALTER TABLE item ADD COLUMN plain jsonb");
    index("containment", "{}");
    index("text", "{\"config\": \"english\"}");
    index("path", "{\"paths\": [\"v[*].p\", \"v.p\", \"p\", \"[*]\", \"a[*][*]\"]}");
  }

  private void index(String kind, String options) {
    fx.run("SELECT pgtoaster.create_index('item', 'doc', '%s', '%s')".formatted(kind, options));
  }

  private Object row(String json) {
    Object key = fx.row(json);
    copy(key);
    return key;
  }

  private void copy(Object key) {
    String json = fx.documents().text(key).orElseThrow();
    fx.run("UPDATE item SET plain = " + Sql.literal(json) + fx.where(key));
  }

  /** Returns an array with an element for each position. */
  private static String array(int size, IntFunction<String> element) {
    return IntStream.range(0, size).mapToObj(element).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String literal(@Nullable String text) {
    return text == null ? "NULL" : Sql.literal(text);
  }

  /**
   * Returns the row and path of each match. Checks the values, and that the SQL functions return
   * the same for the stored documents and for plain copies.
   */
  private List<String> found(JsonSearch search) {
    List<String> found = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (SearchMatches row : fx.documents().searchMatches(search)) {
      for (SearchMatches.Match match : row.matches()) {
        found.add(row.key() + " " + match.path());
        texts.add(row.key() + " " + String.join("/", match.path().steps()));
        assertThat(fx.documents().at(row.key(), match.path()).get())
            .as("the value at %s", match.path())
            .contains(match.value());
      }
    }
    String probe = literal(SearchTexts.probe(search));
    String ranges = literal(SearchTexts.ranges(search.ranges()));
    String paths =
        search.textPaths().stream()
            .map(Sql::literal)
            .collect(Collectors.joining(", ", "nullif(ARRAY[", "]::text[], '{}')"));
    String arguments =
        "contains => %s, matches => %s, ranges => %s, matches_at => %s"
            .formatted(probe, literal(search.text()), ranges, paths);
    String rows =
        "SELECT pg_catalog.concat_ws(' ', p.id, pg_catalog.array_to_string(m.path, '/')) FROM pgtoaster.search(NULL::item, 'doc', %s) p"
                .formatted(arguments)
            + " CROSS JOIN LATERAL %s WITH ORDINALITY m(path, value, n) ORDER BY p.id, m.n";
    assertThat(fx.strings(rows.formatted("pgtoaster.search_matches(p, 'doc', " + arguments + ")")))
        .isEqualTo(texts);
    assertThat(
            fx.strings(
                rows.formatted(
                    "pgtoaster.document_matches(p.plain, 'english', %s, %s, %s, %s, 100)"
                        .formatted(probe, literal(search.text()), ranges, paths))))
        .as("plain copies")
        .isEqualTo(texts);
    return found;
  }

  private static JsonSearch contains(String json) {
    return JsonSearch.containsJson(json);
  }

  @Test
  void contains_returnsElementsOfTheOutermostArrays() {
    String variants =
        array(
            300,
            i ->
                "{\"sku\": \"S%d\", \"color\": \"%s\", \"sizes\": [[%1$d], {\"n\": [%1$d, 7]}]}"
                    .formatted(i, i == 7 || i == 299 ? "red" : "blue"));
    row("{\"v\": %s, \"brand\": {\"name\": \"Acme\", \"tags\": []}}".formatted(variants));
    row("{\"v\": [{\"color\": \"red\"}, \"red\"]}");
    assertThat(found(contains("{\"v\": [{\"color\": \"red\"}]}")))
        .containsExactly("1 v[7]", "1 v[299]", "2 v[0]");
    assertThat(
            found(JsonSearch.contains(Map.of("v", List.of(Map.of("sku", "S12", "color", "blue"))))))
        .containsExactly("1 v[12]");
    assertThat(found(contains("{\"v\": [{\"sizes\": [{\"n\": [12]}]}]}")))
        .containsExactly("1 v[12]");
    assertThat(found(contains("{\"v\": [{\"sizes\": [[12]]}, {\"sku\": \"S4\"}]}")))
        .containsExactly("1 v[4]", "1 v[12]");
    assertThat(found(contains("{\"v\": [{\"sku\": \"S5\"}], \"brand\": {\"name\": \"Acme\"}}")))
        .containsExactly("1 v[5]", "1 brand.name");
    assertThat(found(contains("{\"brand\": {\"tags\": []}}"))).containsExactly("1 brand.tags");
    assertThat(found(contains("{\"v\": [\"red\"]}"))).containsExactly("2 v[1]");
    assertThat(fx.documents().searchMatches(contains("{\"v\": [\"green\"]}"))).isEmpty();
  }

  @Test
  void contains_returnsElementsOfArraysAtTheRoot() {
    row(array(200, i -> "[%d, [\"n%1$d\"]]".formatted(i)));
    row("[5, [5], [\"n6\"], 5]");
    row("5");
    assertThat(found(contains("[[[\"n6\"]]]"))).containsExactly("1 [6]");
    assertThat(found(contains("[[5]]"))).containsExactly("1 [5]", "2 [1]");
    assertThat(found(contains("5"))).containsExactly("2 [0]", "2 [3]", "3 ");
    assertThat(found(contains("[5]"))).containsExactly("2 [0]", "2 [3]");
  }

  @Test
  void paths_keepUnusualKeys() {
    for (String pad : List.of("", PAD)) {
      row(
          "{\"a.b\": {\"x\\\"y\": [{\"$pgtoaster\": \"dog\"}, \"%s\"]}, \"7\": {\"0\": [\"dog\"]}, \"[*]\": {\"\": \"dog\"}, \"pad\": \"%1$s\"}"
              .formatted(pad));
    }
    for (String key : List.of("1", "2")) {
      assertThat(found(JsonSearch.text("dogs")))
          .contains(
              key + " [7][0][0]",
              key + " [\"a.b\"][\"x\\\"y\"][0].$pgtoaster",
              key + " [\"[*]\"][\"\"]");
    }
    assertThat(found(contains("{\"7\": {\"0\": [\"dog\"]}}")))
        .containsExactly("1 [7][0][0]", "2 [7][0][0]");
    assertThat(found(contains("{\"[*]\": {\"\": \"dog\"}}")))
        .containsExactly("1 [\"[*]\"][\"\"]", "2 [\"[*]\"][\"\"]");
    assertThat(found(contains("{\"a.b\": {\"x\\\"y\": [{\"$pgtoaster\": \"dog\"}]}}")))
        .containsExactly("1 [\"a.b\"][\"x\\\"y\"][0]", "2 [\"a.b\"][\"x\\\"y\"][0]");
  }

  @Test
  void ranges_returnValues() {
    row("{\"v\": %s}".formatted(array(300, i -> "{\"p\": %d.5, \"q\": {\"p\": 12}}".formatted(i))));
    row("{\"v\": {\"p\": 12}, \"p\": \"m\"}");
    row("{\"v\": [{\"p\": 12}, {\"p\": [12]}, {\"p\": \"12\"}, [{\"p\": 12}], 12], \"p\": null}");
    row("[1, [2], 3]");
    row("{\"a\": [[1, 2], 3, [[2]], [2]]}");
    assertThat(found(JsonSearch.range(JsonRange.between("v[*].p", 11, 13))))
        .containsExactly("1 v[11].p", "1 v[12].p", "3 v[0].p");
    assertThat(found(JsonSearch.range(JsonRange.of("v.p").equalTo(12)))).containsExactly("2 v.p");
    assertThat(found(JsonSearch.range(JsonRange.of("p").below("n")))).containsExactly("2 p");
    assertThat(found(JsonSearch.range(JsonRange.of("p").equalTo(null)))).containsExactly("3 p");
    assertThat(found(JsonSearch.range(JsonRange.of("[*]").atLeast(2)))).containsExactly("4 [2]");
    assertThat(found(JsonSearch.range(JsonRange.of("a[*][*]").atLeast(2))))
        .containsExactly("5 a[0][1]", "5 a[3][0]");
    assertThat(
            found(
                contains("{\"v\": [{\"q\": {\"p\": 12}}]}")
                    .withRange(JsonRange.of("v[*].p").above(298))))
        .hasSize(100)
        .startsWith("1 v[0]", "1 v[1]");
    assertThat(
            found(
                JsonSearch.range(JsonRange.of("v[*].p").above(298))
                    .withRange(JsonRange.of("v[*].p").below(1))))
        .containsExactly("1 v[0].p", "1 v[298].p", "1 v[299].p");
    assertThatThrownBy(
            () -> fx.documents().searchMatches(JsonSearch.range(JsonRange.of("x").above(1))))
        .isInstanceOf(UnsupportedCapabilityException.class);
    assertThatThrownBy(
            () -> fx.documents().searchMatches(JsonSearch.range(JsonRange.between("p", 1, "a"))))
        .isInstanceOf(InvalidSearchException.class);
  }

  @Test
  void words_returnStrings() {
    String chat =
        array(
            200,
            i ->
                "{\"role\": \"user\", \"text\": \"%s %s\"}"
                    .formatted(
                        Documents.words(i, 100),
                        switch (i) {
                          case 3 -> "A wonderful gift";
                          case 150 -> "gifts are wonderful";
                          default -> "";
                        }));
    row("{\"m\": %s, \"by\": \"wonderful\"}".formatted(chat));
    row(
        "{\"m\": {\"text\": [\"a gift\", \"wonderful\", {\"gift\": 1}]}, \"%s\": 1}"
            .formatted(PAD));
    row("\"a gift\"");
    assertThat(found(JsonSearch.text("gift")))
        .containsExactly("1 m[3].text", "1 m[150].text", "2 m.text[0]", "3 ");
    assertThat(found(JsonSearch.text("wonderful gift")))
        .containsExactly("1 m[3].text", "1 m[150].text", "1 by", "2 m.text[0]", "2 m.text[1]");
    assertThat(found(JsonSearch.text("\"wonderful gift\""))).containsExactly("1 m[3].text");
    assertThat(found(JsonSearch.text("gift -by"))).hasSize(4);
    // PostgreSQL finds this phrase, with its stop word, in two strings of row 2.
    assertThat(found(JsonSearch.text("\"gifts are wonderful\" or \"quiet wonder\"")))
        .containsExactly("1 m[150].text");
    assertThat(found(JsonSearch.text("gift").withTextAt("m[*].text")))
        .containsExactly("1 m[3].text", "1 m[150].text");
    assertThat(found(JsonSearch.text("gift").withTextAt("m.text"))).containsExactly("2 m.text[0]");
    assertThat(found(JsonSearch.text("wonderful").withTextAt("by", "m[*].text", "m")))
        .containsExactly("1 m[3].text", "1 m[150].text", "1 by", "2 m.text[1]");
    assertThat(found(contains("{\"m\": [{\"role\": \"user\"}]}").withText("gift").withLimit(1)))
        .hasSize(100);
    assertThatThrownBy(() -> fx.documents().searchMatches(JsonSearch.text("-gift")))
        .isInstanceOf(InvalidSearchException.class);
  }

  @Test
  void words_areFoundInLongStrings() {
    String filler = Documents.words(2, 80_000);
    row(
        "{\"t\": [\"none %s\", \"dog %1$s\", \"%1$s the end\", \"%s lazy foxes %s\"]}"
            .formatted(filler, Documents.words(3, 50_000), filler));
    assertThat(found(JsonSearch.text("dogs"))).containsExactly("1 t[1]");
    assertThat(found(JsonSearch.text("end"))).containsExactly("1 t[2]");
    assertThat(found(JsonSearch.text("\"lazy fox\" or dog").withTextAt("t[*]")))
        .containsExactly("1 t[1]", "1 t[3]");
    assertThat(
            fx.strings(
                "SELECT s.n FROM generate_series(31000, 33000, 17) s(n) WHERE NOT pgtoaster.has_words("
                    + "'english', repeat('x ', s.n / 2) || 'lazy foxes' || repeat(' x', 20000 + s.n), 'lazi <-> fox', true, true)"))
        .as("offsets at which the phrase is not found")
        .isEmpty();
    assertThat(
            fx.strings(
                "SELECT s.n FROM generate_series(100, 39000, 1900) s(n) WHERE NOT pgtoaster.has_words("
                    + "'english', left(repeat('w1,', 20000), s.n) || ',gift,' || repeat('w2,', 13000), 'gift', true, true)"))
        .as("offsets at which a word is not found in a text without white space")
        .isEmpty();
  }

  private String text() {
    int words = random.nextInt(20) == 0 ? 1500 : 1 + random.nextInt(30);
    return random
        .ints(words, 0, WORDS.size() * 40)
        .mapToObj(i -> i < WORDS.size() ? WORDS.get(i) : "w" + i % 90)
        .collect(Collectors.joining(" "));
  }

  private JsonNode json(int depth) {
    int kind = random.nextInt(depth > 0 ? 6 : 3);
    if (kind == 0) {
      return NODES.numberNode(random.nextInt(30));
    } else if (kind <= 2) {
      return NODES.stringNode(text());
    } else if (kind == 3) {
      return object(depth);
    }
    ArrayNode array = NODES.arrayNode();
    for (int i = random.nextInt(random.nextInt(6) > 0 ? 5 : 40); i > 0; i--) {
      array.add(json(depth - 1));
    }
    return array;
  }

  private ObjectNode object(int depth) {
    ObjectNode object = NODES.objectNode();
    for (String key : List.of("v", "p", "b.c", "a", "7", "$pgtoaster")) {
      if (random.nextInt(3) > 0 && (depth < 4 || !key.startsWith("$"))) {
        object.set(key, json(depth - 1));
      }
    }
    return object;
  }

  /** Returns a value that contains a part of another one. */
  private JsonNode part(JsonNode value) {
    if (random.nextInt(6) == 0 || value.isEmpty()) {
      return value.size() > 3 ? NODES.arrayNode() : value;
    }
    int n = random.nextInt(value.size());
    if (value.isArray()) {
      return NODES.arrayNode().add(part(value.get(n)));
    }
    String key = value.propertyNames().stream().skip(n).findFirst().orElseThrow();
    return NODES.objectNode().set(key, part(value.get(key)));
  }

  @Test
  void leavesThatAreNotRead_haveNoMatches() {
    List<JsonNode> documents = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      documents.add(i % 5 == 0 ? json(4) : object(4));
      row(documents.get(i).toString());
    }
    int matches = 0;
    for (int i = 0; i < 24; i++) {
      String word = WORDS.get(random.nextInt(WORDS.size()));
      String other = "w" + random.nextInt(90);
      JsonRange range = JsonRange.of(PATHS.get(random.nextInt(PATHS.size()))).atLeast(25);
      JsonSearch text = JsonSearch.text("\"%s %s\" or \"%2$s %1$s\"".formatted(word, other));
      JsonSearch search =
          switch (i % 4) {
            case 0 -> text;
            case 1 -> text.withTextAt(PATHS.get(random.nextInt(PATHS.size())));
            case 2 -> contains(part(documents.get(random.nextInt(15))).toString());
            default -> JsonSearch.range(range);
          };
      matches += found(search).size();
    }
    assertThat(matches).as("matches, seed %s", SEED).isGreaterThan(25);
  }

  @Test
  void positions_areThoseOfTheCurrentDocument() {
    Object key = row("{\"v\": %s}".formatted(array(300, i -> "{\"n\": %d}".formatted(i))));
    assertThat(found(contains("{\"v\": [{\"n\": 250}]}"))).containsExactly("1 v[250]");
    DocumentColumn documents = fx.documents();
    documents.at(key, "v[0]").insert(Map.of("n", -1));
    documents.at(key, "v[100]").remove();
    documents.at(key, "v[20]").insert(Map.of("n", 250));
    copy(key);
    assertThat(found(contains("{\"v\": [{\"n\": 250}]}"))).containsExactly("1 v[20]", "1 v[251]");
    fx.run("UPDATE item SET doc = pgtoaster.remove(doc, '{v,0}')" + fx.where(key));
    copy(key);
    assertThat(found(contains("{\"v\": [{\"n\": 250}]}"))).containsExactly("1 v[19]", "1 v[250]");
  }

  @Test
  void damagedArray_isRejected() {
    row("{\"v\": %s}".formatted(array(300, i -> "{\"p\": %d}".formatted(i))));
    JsonSearch search = JsonSearch.range(JsonRange.of("v[*].p").equalTo(250));
    assertThat(found(search)).containsExactly("1 v[250].p");
    String first = "(SELECT n.id FROM %1$s n WHERE n.value @> '[{\"p\": 7}]')";
    fx.run(("DELETE FROM %1$s WHERE id = " + first).formatted(fx.table("node")));
    assertThatThrownBy(() -> fx.documents().searchMatches(search))
        .isInstanceOf(DocumentCorruptException.class);
  }

  @Test
  void rows_areThoseOfTheSearch() {
    for (int i = 0; i < 5; i++) {
      row("{\"v\": [\"x\", %d], \"t\": \"%s\"}".formatted(i % 2, PAD));
    }
    JsonSearch ones = contains("{\"v\": [1]}");
    assertThat(fx.documents().searchMatches(ones.withLimit(1).withAfter(2)))
        .hasToString("[SearchMatches[key=4, matches=[Match[path=v[1], value=1]]]]");
    assertThat(fx.documents().searchMatches(contains("{\"v\": [\"x\"]}"))).hasSize(5);
    DocumentColumn plain = PgToaster.create(fx.database().dataSource()).documents("item", "plain");
    assertThat(plain.searchMatches(ones))
        .hasToString(fx.documents().searchMatches(ones).toString());
    assertThat(plain.searchMatches(ones.withLimit(1).withAfter(2)))
        .hasToString("[SearchMatches[key=4, matches=[Match[path=v[1], value=1]]]]");
    assertThatThrownBy(() -> plain.searchMatches(JsonSearch.text("x")))
        .isInstanceOf(UnsupportedCapabilityException.class);
    assertThatThrownBy(() -> fx.run("SELECT pgtoaster.search_matches(1, 'doc', contains => '{}')"))
        .hasStackTraceContaining("not the row type of a table");
    fx.run("SELECT pgtoaster.drop_index('item', 'doc', 'text')");
    assertThatThrownBy(
            () -> fx.run("SELECT pgtoaster.search_matches(i, 'doc', matches => 'x') FROM item i"))
        .hasStackTraceContaining("has no text index");
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPOSITE", "TENANT"})
  void compositeKey_isReturnedAsList(ColumnSpec.Key key) {
    fx.close();
    open(key);
    Object first = fx.row("{\"v\": %s}".formatted(array(300, i -> "[\"dog %d\"]".formatted(i))));
    fx.row("{\"v\": [2]}");
    for (JsonSearch search : List.of(contains("{\"v\": [[\"dog 7\"]]}"), JsonSearch.text("7"))) {
      assertThat(fx.documents().searchMatches(search))
          .singleElement()
          .satisfies(
              r -> assertThat(fx.documents().text(r.key())).isEqualTo(fx.documents().text(first)))
          .satisfies(r -> assertThat(r.key()).isInstanceOf(List.class))
          .satisfies(r -> assertThat(r.matches()).hasSize(1))
          .satisfies(r -> assertThat(r.matches().get(0).path().toString()).startsWith("v[7]"));
    }
  }
}
