package io.pgtoaster.it.jsonb.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonRange;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.error.InvalidSearchException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonIndex;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.BooleanNode;

/** Searches for ranges return the rows that plain SQL finds in plain jsonb. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
class PathSearchIT {
  private static final int DOCUMENTS = Integer.getInteger("pgtoaster.test.ranges", 80);

  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_130);

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private static final List<String> PATHS =
      List.of("a[*].b", "a.b", "[*].a", "a[*]", "b[*][*].c", "c", "a[\"b.c\"]");

  private static final List<String> NUMBERS =
      List.of("0", "-0.0", "1e-300", "-1e-310", "1e300", "-2e300", "1e400", "0.1", "10", "1e1");

  @Parameter Setting setting;

  @AutoClose private DocumentFixture fx;
  private final Random random = new Random(SEED);

  @BeforeEach
  void open() {
    fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed(
                "{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}",
                ColumnSpec.Key.NUMBER));
    fx.run("ALTER TABLE item ADD COLUMN plain jsonb");
  }

  private void index(String... paths) {
    PgToaster.create(fx.database().dataSource())
        .catalog()
        .createIndex(ColumnName.of("item", "doc"), JsonIndex.path(paths));
  }

  private Object row(String json) {
    Object key = fx.row(json);
    fx.run("UPDATE item SET plain = " + Sql.literal(json) + fx.where(key));
    return key;
  }

  private String scalar() {
    return switch (random.nextInt(9)) {
      case 0 -> List.of("null", "true", "false", "\"\"").get(random.nextInt(4));
      case 1, 2 -> NUMBERS.get(random.nextInt(NUMBERS.size()));
      case 3, 4 -> String.valueOf(random.nextInt(200) - 100);
      case 5 -> random.nextInt(100) + "." + random.nextInt(1000);
      case 6 -> '"' + "\u00e4b\ud83d\ude00z".substring(0, 1 + random.nextInt(2)) + '"';
      case 7 -> '"' + Documents.words(random.nextInt(9), random.nextInt(60)) + '"';
      default ->
          '"' + Documents.words(random.nextInt(5), random.nextInt(20) > 0 ? 100 : 12_000) + '"';
    };
  }

  private String json(int depth) {
    int kind = random.nextInt(depth > 0 ? 5 : 2);
    return switch (kind) {
      case 0, 1 -> scalar();
      case 2, 3 ->
          IntStream.range(0, random.nextInt(random.nextInt(5) > 0 ? 6 : 40))
              .mapToObj(i -> json(depth - 1))
              .collect(Collectors.joining(", ", "[", "]"));
      default -> object(depth);
    };
  }

  private String object(int depth) {
    Map<String, String> members = new LinkedHashMap<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      String key = List.of("a", "b", "b.c", "c", "$pgtoaster").get(random.nextInt(5));
      members.put(depth == 4 && key.startsWith("$") ? "c" : key, json(depth - 1));
    }
    return members.entrySet().stream()
        .map(m -> '"' + m.getKey() + "\": " + m.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** Returns the values at a path of all plain documents, as a query with the columns id and v. */
  private static String values(String path) {
    StringBuilder from = new StringBuilder("item i CROSS JOIN LATERAL (SELECT i.plain AS v) v0");
    int n = 0;
    for (String step :
        path.replace("[\"b.c\"]", ".B")
            .replace("[*]", ".*")
            .replace("[\"", ".")
            .replace("\"]", "")
            .split("\\.", -1)) {
      if (!step.isEmpty()) {
        String above = "v" + n++ + ".v";
        from.append(" CROSS JOIN LATERAL (")
            .append(
                step.equals("*")
                    ? "SELECT jsonb_array_elements(CASE jsonb_typeof(%1$s) WHEN 'array' THEN %1$s END) AS v"
                        .formatted(above)
                    : "SELECT %s -> '%s' AS v".formatted(above, step.equals("B") ? "b.c" : step))
            .append(") v")
            .append(n);
      }
    }
    return "SELECT i.id, v%d.v FROM %s WHERE v%1$d.v IS NOT NULL".formatted(n, from);
  }

  private static JsonRange range(String path, Map<String, String> bounds) {
    JsonRange range = JsonRange.of(path);
    for (Map.Entry<String, String> bound : bounds.entrySet()) {
      JsonNode value = JSON.readTree(bound.getValue());
      range =
          switch (bound.getKey()) {
            case "=" -> range.equalTo(value);
            case "<" -> range.below(value);
            case "<=" -> range.atMost(value);
            case ">" -> range.above(value);
            case ">=" -> range.atLeast(value);
            default -> throw new IllegalArgumentException(bound.getKey());
          };
    }
    return range;
  }

  private void assertSame(Connection c, String path, Map<String, String> bounds)
      throws SQLException {
    String filter =
        bounds.entrySet().stream()
            .map(b -> "@ " + (b.getKey().equals("=") ? "==" : b.getKey()) + " " + b.getValue())
            .collect(Collectors.joining(" && "));
    List<String> expected =
        Sql.strings(
            c,
            "SELECT DISTINCT id FROM (%s) x WHERE jsonb_path_exists(v, %s) ORDER BY id"
                .formatted(values(path), Sql.literal("strict $ ? (" + filter + ")")));
    JsonRange range = range(path, bounds);
    assertThat(
            fx.documents().search(JsonSearch.range(range).withLimit(Integer.MAX_VALUE)).stream()
                .map(String::valueOf))
        .as("seed %s, %s: %s", SEED, path, filter)
        .isEqualTo(expected);
    assertThat(
            Sql.strings(
                c,
                "SELECT p.id FROM pgtoaster.search(NULL::item, 'doc', ranges => %s) p ORDER BY 1"
                    .formatted(Sql.literal(SearchTexts.ranges(List.of(range))))))
        .as("seed %s, SQL, %s: %s", SEED, path, filter)
        .isEqualTo(expected);
    if (random.nextInt(3) == 0) {
      assertOrdered(c, range, filter);
    }
  }

  /** Compares pages in the order of values, with and without another condition. */
  private void assertOrdered(Connection c, JsonRange range, String filter) throws SQLException {
    boolean descending = random.nextBoolean();
    JsonSearch search = JsonSearch.range(range);
    String where = "strict $ ? (" + (filter.isEmpty() ? "true == true" : filter) + ")";
    if (random.nextInt(4) == 0) {
      // With another condition, it sorts what it finds.
      search = search.withRange(JsonRange.of(range.path()));
    }
    List<String> expected =
        Sql.strings(
            c,
            """
            SELECT id
            FROM (SELECT DISTINCT ON (id) id, t, n, s
                  FROM (%1$s) x
                  CROSS JOIN LATERAL (
                    SELECT (jsonb_typeof(v) = 'string')::int AS t,
                           CASE jsonb_typeof(v) WHEN 'number' THEN v::numeric END AS n,
                           CASE jsonb_typeof(v) WHEN 'string' THEN v #>> '{}' END COLLATE "C" AS s) o
                  WHERE jsonb_typeof(v) IN ('number', 'string') AND jsonb_path_exists(v, %2$s)
                  ORDER BY id, t %3$s, n %3$s, s %3$s) x
            ORDER BY t %3$s, n %3$s, s %3$s, id
            """
                .formatted(values(range.path()), Sql.literal(where), descending ? "DESC" : ""));
    JsonOrder order =
        descending ? JsonOrder.descending(range.path()) : JsonOrder.ascending(range.path());
    int limit = 1 + random.nextInt(20);
    List<String> found = new ArrayList<>();
    List<JsonOrder.Hit> page;
    do {
      page = fx.documents().searchOrdered(search.withLimit(limit), order);
      page.forEach(hit -> found.add(String.valueOf(hit.key())));
      order = page.isEmpty() ? order : order.withAfter(page.get(page.size() - 1));
    } while (page.size() == limit);
    assertThat(found)
        .as("seed %s, ordered by %s: %s, limit %d", SEED, range.path(), filter, limit)
        .isEqualTo(expected);
  }

  private void assertSame(int count) throws SQLException {
    try (Connection c = fx.database().connect()) {
      for (int i = 0; i < count; i++) {
        String path = PATHS.get(random.nextInt(PATHS.size()));
        List<String> some =
            Sql.strings(
                c,
                "SELECT v FROM (%s) x WHERE jsonb_typeof(v) NOT IN ('object', 'array') ORDER BY md5(v::text || '%d') LIMIT 2"
                    .formatted(values(path), random.nextInt()));
        List<String> bounds = new ArrayList<>(some);
        while (bounds.size() < 2) {
          bounds.add(scalar());
        }
        if (random.nextInt(4) == 0) {
          bounds.set(1, scalar());
        }
        boolean ordered = bounds.get(0).matches("[-\"0-9].*");
        boolean same =
            ordered && (bounds.get(0).charAt(0) == '"') == (bounds.get(1).charAt(0) == '"');
        if (!ordered || random.nextInt(4) == 0) {
          assertSame(c, path, Map.of("=", bounds.get(0)));
        } else if (!same || !bounds.get(1).matches("[-\"0-9].*") || random.nextInt(2) == 0) {
          assertSame(
              c, path, Map.of(List.of("<", "<=", ">", ">=").get(random.nextInt(4)), bounds.get(0)));
        } else {
          assertSame(
              c,
              path,
              Map.of(
                  random.nextBoolean() ? ">" : ">=",
                  bounds.get(0),
                  random.nextBoolean() ? "<" : "<=",
                  bounds.get(1)));
        }
      }
    }
  }

  @Test
  void range_findsTheSameAsPlainSql() throws SQLException {
    List<Object> keys = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS / 2; i++) {
      keys.add(row(i % 8 == 0 ? json(4) : object(4)));
    }
    index(PATHS.toArray(new String[0]));
    for (int i = 0; i < DOCUMENTS / 2; i++) {
      keys.add(row(i % 8 == 0 ? json(4) : object(4)));
    }
    assertSame(DOCUMENTS);
    try (Connection c = fx.database().connect()) {
      for (String path : PATHS) {
        assertOrdered(c, JsonRange.of(path), "");
      }
    }
    String path =
        "CASE WHEN jsonb_typeof(plain #> '{a,0}') = 'object' THEN '{a,0,b}' ELSE '{c}' END::text[]";
    String object = "jsonb_typeof(plain) = 'object' AND NOT plain ? '$pgtoaster' AND id % 2 = 0";
    for (String value : List.of("17", "\"seventeen\"")) {
      fx.run(
          "UPDATE item SET doc = pgtoaster.set(doc, %s, '%s') WHERE %s"
              .formatted(path, value, object),
          "UPDATE item SET plain = jsonb_set(plain, %s, '%s') WHERE %s"
              .formatted(path, value, object));
    }
    for (Object key : keys.subList(0, DOCUMENTS / 4)) {
      String json = object(4);
      fx.documents().putJson(key, json);
      fx.run("UPDATE item SET plain = " + Sql.literal(json) + fx.where(key));
    }
    assertSame(DOCUMENTS / 2);
    try (Connection c = fx.database().connect()) {
      assertSame(c, "a[*].b", Map.of("=", "\"seventeen\""));
      assertSame(c, "a[*].b", Map.of("=", "17"));
      assertSame(c, "c", Map.of(">=", "\"seventeen\"", "<", "\"seventeen.\""));
    }
  }

  @Test
  void range_followsPathsAsWritten() throws SQLException {
    index("a[*]", "pair[\"1\"].v[*].p", "pair[\" +1\"].v[*].p", "v[*].p", "v.p");
    row("{\"a\": [5, [6]]}");
    row("{\"a\": [[5]]}");
    String many =
        IntStream.range(0, 300)
            .mapToObj("{\"p\": %d}"::formatted)
            .collect(Collectors.joining(", ", "{\"v\": [", "]}"));
    row(many);
    row("{\"pair\": [\"first\", " + many + "]}");
    row("{\"pair\": {\"1\": " + many + "}}");
    try (Connection c = fx.database().connect()) {
      assertSame(c, "a[*]", Map.of(">=", "5", "<=", "6"));
      for (String path : List.of("pair[\"1\"].v[*].p", "pair[\" +1\"].v[*].p", "v[*].p", "v.p")) {
        assertSame(c, path, Map.of("=", "5"));
        assertSame(c, path, Map.of(">", "5"));
      }
    }
  }

  @Test
  void range_findsOneValueInLeavesOfEachDepth() throws SQLException {
    index("variants[*].price", "a.b.variants[*].price", "[*].price", "text");
    String variants =
        IntStream.range(0, 300)
            .mapToObj(i -> "{\"price\": %d.5, \"n\": {\"price\": %d}}".formatted(i, i + 1000))
            .collect(Collectors.joining(", ", "[", "]"));
    row("{\"variants\": " + variants + ", \"other\": " + variants + "}");
    row("{\"a\": {\"b\": {\"variants\": " + variants + "}}}");
    row(variants);
    row("{\"variants\": [{\"price\": 250}, {\"price\": \"250.5\"}]}");
    row("{\"variants\": {\"price\": 250}, \"text\": \"%s\"}".formatted(Documents.words(3, 40_000)));
    row(
        "{\"price\": 250, \"variants\": [[{\"price\": 250}], 250], \"text\": \"%s\"}"
            .formatted("w".repeat(2000)));
    try (Connection c = fx.database().connect()) {
      for (String path : List.of("variants[*].price", "a.b.variants[*].price", "[*].price")) {
        assertSame(c, path, Map.of("=", "250.5"));
        assertSame(c, path, Map.of("=", "250.50"));
        assertSame(c, path, Map.of(">", "249.5", "<", "250.5"));
        assertSame(c, path, Map.of(">=", "1000"));
        assertSame(c, path, Map.of(">=", "300", "<=", "100"));
        assertSame(c, path, Map.of(">", "\"250\""));
      }
      String text = Documents.words(3, 40_000);
      for (String bound : List.of(text, text.substring(0, 39_999), text.substring(0, 9), "www")) {
        assertSame(c, "text", Map.of(">=", '"' + bound + '"'));
        assertSame(c, "text", Map.of("<", '"' + bound + '"'));
        assertSame(c, "text", Map.of("=", '"' + bound + '"'));
      }
    }
  }

  @Test
  void range_isCombinedWithOtherConditions() {
    String filler = Documents.words(1, 3000);
    Object first =
        row("{\"v\": [{\"p\": 5, \"t\": \"dog %s\"}, {\"p\": 9}], \"k\": 1}".formatted(filler));
    Object second = row("{\"v\": [{\"p\": 5, \"t\": \"cat %s\"}], \"k\": 1}".formatted(filler));
    Object third = row("{\"v\": [{\"p\": 6}], \"k\": 2, \"d\": \"2026-11-30\"}");
    JsonRange five = JsonRange.of("v[*].p").equalTo(5);
    assertThatThrownBy(() -> fx.documents().search(JsonSearch.range(five)))
        .isInstanceOf(UnsupportedCapabilityException.class)
        .hasMessageContaining("create_index");
    index("v[*].p", "d");
    JsonRange all = JsonRange.between("v[*].p", 1, 6);
    assertThat(fx.documents().search(JsonSearch.range(five))).containsExactly(first, second);
    assertThat(fx.documents().search(JsonSearch.range(all))).containsExactly(first, second, third);
    assertThat(fx.documents().search(JsonSearch.range(all).withLimit(1).withAfter(first)))
        .containsExactly(second);
    assertThat(
            fx.documents()
                .search(JsonSearch.range(five).withRange(JsonRange.of("v[*].p").above(5))))
        .containsExactly(first);
    assertThat(
            fx.documents()
                .search(
                    JsonSearch.range(all)
                        .withRange(JsonRange.of("d").atLeast("2026-11").below("2026-12"))))
        .containsExactly(third);
    for (int i = 0; i < 2; i++) {
      assertThat(
              fx.documents()
                  .search(JsonSearch.contains(Map.of("k", 1)).withRange(all).withLimit(9)))
          .containsExactly(first, second);
      fx.run("SELECT pgtoaster.create_index('item', 'doc', 'containment')");
    }
    fx.run("SELECT pgtoaster.create_index('item', 'doc', 'text', '{\"config\": \"english\"}')");
    assertThat(fx.documents().search(JsonSearch.text("dogs").withRange(all)))
        .containsExactly(first);
    assertThat(fx.documents().search(JsonSearch.text("cats -dogs").withRange(five)))
        .containsExactly(second);
    assertThat(fx.documents().searchRanked(JsonSearch.text("dogs or cats").withRange(five)))
        .extracting(h -> h.key())
        .containsExactlyInAnyOrder(first, second);
    assertThat(
            fx.documents()
                .searchRanked(
                    JsonSearch.text("dogs or cats").withRange(JsonRange.of("v[*].p").equalTo(9))))
        .extracting(h -> h.key())
        .containsExactly(first);
    for (JsonRange wrong :
        List.of(
            JsonRange.of("v[*].p").atLeast(1).atMost("2"),
            JsonRange.of("v[*].p").atLeast(1).above(2),
            JsonRange.of("v[*].p").atLeast(List.of(1)),
            JsonRange.of("v[*].p").below(true),
            JsonRange.of("v[1].p").below(1))) {
      assertThatThrownBy(() -> fx.documents().search(JsonSearch.range(wrong)))
          .as("%s", wrong)
          .isInstanceOf(InvalidSearchException.class);
    }
    assertThatThrownBy(
            () -> fx.documents().search(JsonSearch.range(JsonRange.of("v[*]").equalTo(1))))
        .isInstanceOf(UnsupportedCapabilityException.class);
  }

  @Test
  void orderedSearch_combinesConditions() {
    Object none = row("{\"k\": 1}");
    Object five =
        row("{\"v\": [{\"p\": 9}, {\"p\": 5, \"t\": \"dog %s\"}]}".formatted("x ".repeat(900)));
    Object six = row("{\"v\": [{\"p\": 6, \"t\": \"dog and cat\"}], \"k\": 1}");
    Object text = row("{\"v\": [{\"p\": \"5\"}, {\"p\": true}], \"k\": 1}");
    JsonSearch all = JsonSearch.range(JsonRange.of("v[*].p"));
    JsonOrder ascending = JsonOrder.ascending("v[*].p");
    assertThatThrownBy(() -> fx.documents().searchOrdered(all, ascending))
        .isInstanceOf(UnsupportedCapabilityException.class)
        .hasMessageContaining("create_index");
    index("v[*].p");
    assertThat(ordered(all, ascending)).containsExactly(five, six, text);
    assertThat(ordered(all, JsonOrder.descending("v[*].p"))).containsExactly(text, five, six);
    assertThat(
            fx.database()
                .strings(
                    "SELECT count(*) FROM pgtoaster.search_ordered(NULL::item, 'doc', 'v[*].p', max_rows => 9223372036854775807)"))
        .containsExactly("3");
    JsonSearch above = JsonSearch.range(JsonRange.of("v[*].p").above(5));
    assertThat(fx.documents().searchOrdered(above, ascending))
        .extracting(hit -> hit.value().asInt())
        .containsExactly(6, 9);
    JsonSearch one = JsonSearch.containsJson("{\"k\": 1}");
    assertThat(ordered(one, ascending)).containsExactly(six, text).doesNotContain(none);
    fx.run("SELECT pgtoaster.create_index('item', 'doc', 'text', '{\"config\": \"english\"}')");
    assertThat(ordered(JsonSearch.text("dogs"), ascending)).containsExactly(five, six);
    assertThat(ordered(JsonSearch.text("dogs -cats"), ascending)).containsExactly(five);
    fx.run(
        "UPDATE item SET doc = jsonb_build_object('v', (SELECT jsonb_agg(jsonb_build_object('p', n))"
            + " FROM generate_series(7, 10010) n)) WHERE id = "
            + none);
    assertThat(ordered(all, ascending)).containsExactly(five, six, none, text);
    fx.documents().putJson(none, "{\"k\": 1}");
    JsonOrder.Hit last = fx.documents().searchOrdered(all, ascending).get(0);
    fx.documents().clear(five);
    assertThat(ordered(all, ascending.withAfter(last))).containsExactly(six, text);
    assertThatThrownBy(() -> ordered(all.withAfter(six), ascending))
        .isInstanceOf(IllegalArgumentException.class);
    for (JsonOrder wrong :
        List.of(
            JsonOrder.ascending("v[0].p"),
            ascending.withAfter(new JsonOrder.Hit(six, BooleanNode.TRUE)))) {
      assertThatThrownBy(() -> ordered(all, wrong)).isInstanceOf(InvalidSearchException.class);
    }
  }

  @Test
  void noRange_isNoCondition() {
    row("{\"k\": 1}");
    row("{\"k\": 2}");
    index("k");
    assertThat(
            fx.database()
                .strings("SELECT id FROM pgtoaster.search(NULL::item, 'doc', ranges => '[]')"))
        .hasSize(2);
  }

  private List<Object> ordered(JsonSearch search, JsonOrder order) {
    return fx.documents().searchOrdered(search, order).stream().map(JsonOrder.Hit::key).toList();
  }

  @Test
  void repeatedSearch_takesOneRoundTrip() throws Exception {
    index("v[*].p");
    Object key = row("{\"v\": [{\"p\": 5}]}");
    JsonSearch five = JsonSearch.range(JsonRange.of("v[*].p").equalTo(5));
    try (Cuts cuts = new Cuts(fx.database());
        Connection c = cuts.connect(true)) {
      DocumentColumn documents = PgToaster.on(c).documents("item", "doc");
      for (int i = 0; i < 10; i++) {
        assertThat(documents.search(five)).containsExactly(key);
      }
      cuts.allow(1, () -> documents.search(five));
    }
  }

  @Test
  void index_isListedDetachedAndDropped() throws SQLException {
    Catalog catalog = PgToaster.create(fx.database().dataSource()).catalog();
    ColumnName column = ColumnName.of("item", "doc");
    Object key = row("{\"v\": [%s], \"it's\": 7}".formatted("123456789, ".repeat(99) + "4"));
    // More values than an index entry can have.
    fx.run(
        "INSERT INTO item (id, doc) SELECT 1000, jsonb_build_object('v', jsonb_agg(g)) FROM generate_series(1, 20000) g");
    JsonIndex index = JsonIndex.path("v[*]", "[\"it's\"]").withOnline(true).withFastUpdate(false);
    catalog.createIndex(column, index);
    catalog.createIndex(column, index);
    assertThat(catalog.indexes())
        .singleElement()
        .satisfies(
            i -> {
              assertThat(i.kind()).isEqualTo(JsonIndex.Kind.PATH);
              assertThat(i.paths()).containsExactlyInAnyOrder("v[*]", "[\"it's\"]");
              assertThat(i.complete()).isTrue();
            });
    assertThat(fx.documents().search(JsonSearch.range(JsonRange.of("v[*]").equalTo(4))).toString())
        .isEqualTo("[" + key + ", 1000]");
    assertThat(fx.documents().search(JsonSearch.range(JsonRange.of("[\"it's\"]").above(6))))
        .containsExactly(key);
    assertThatThrownBy(() -> catalog.createIndex(column, JsonIndex.path("v[*].p")))
        .hasMessageContaining("has a path index for");
    assertThatThrownBy(() -> catalog.createIndex(column, JsonIndex.path("v[0]")))
        .hasMessageContaining("is not a path that an index can have");
    fx.run(
        "SELECT pgtoaster.detach('item', 'doc')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    assertThat(fx.strings("SELECT concat_ws(' ', kind, paths, complete) FROM pgtoaster.indexes()"))
        .singleElement()
        .asString()
        .startsWith("path {")
        .endsWith(" t");
    assertThat(fx.strings("SELECT unnest(warnings) FROM pgtoaster.status()")).isEmpty();
    catalog.dropIndex(column, JsonIndex.Kind.PATH);
    assertThat(catalog.indexes()).isEmpty();
    assertThat(
            fx.strings(
                "SELECT indexname FROM pg_indexes WHERE tablename = 'item' AND indexdef LIKE '%gin%'"))
        .isEmpty();
  }
}
