package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.PlainJsonb;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Reads by path return the same values as PostgreSQL's operators on plain jsonb. */
interface DocumentReadContract extends DocumentContract {
  /** Paths with and without a value in {@link Documents#big}. */
  List<String> PATHS =
      List.of(
          "",
          "id",
          "name",
          "none",
          "none.x",
          "id.x",
          "price",
          "empty",
          "empty.x",
          "nothing",
          "nothing[0]",
          "nothing[-1]",
          "few",
          "few[0]",
          "few[-1]",
          "few[-1][0]",
          "few[-5]",
          "few[4]",
          "few.x",
          "missing",
          "missing.x",
          "items",
          "items[0]",
          "items[17]",
          "items[17].tags",
          "items[17].tags[1]",
          "items[-1]",
          "items[-60].no",
          "items[-61]",
          "items[59].text",
          "items[60]",
          "items[2147483647]",
          "items.no",
          "items[3].none",
          "index",
          "index.k0",
          "index.k203.tags[-1]",
          "index.k413.sum",
          "index.k1",
          "index.k7.none.x",
          "index[7]",
          "text",
          "text.x",
          "text[0]",
          "deep",
          "deep.a.b",
          "deep.a.b.c",
          "deep.a.b.c[29]",
          "deep.a.b.c[29][1].x",
          "deep.a.b.c[-60][0]",
          "deep.a.b.n",
          "deep.list[1][1].y[-3]",
          "deep.list[2]",
          "deep.a.x.c");

  int PARTS = 60;

  /** Documents whose root is not an object. */
  List<String> ROOTS =
      List.of(
          "[]",
          "{}",
          "null",
          "true",
          "-0.50",
          "\"a string\"",
          "[1, [2, 3], {\"a\": [4]}]",
          "[" + "{\"a\": [1, 2, 3], \"b\": \"some words\"}, ".repeat(200) + "0]",
          "\"" + "a long string, ".repeat(900) + "\"");

  private PlainJsonb plain() {
    return new PlainJsonb(fx().connect());
  }

  @Test
  default void everyRead_returnsTheSameAsPlainJsonb() {
    PlainJsonb plain = plain();
    DocumentColumn documents = fx().documents();
    String big = Documents.big(PARTS);
    Object key = fx().row(big);
    for (String text : PATHS) {
      assertReads(plain, documents, key, big, DocumentPath.parse(text));
    }
    fx().assertDocument(key, big);
  }

  @Test
  default void everyRead_ofARootThatIsNotAnObject_returnsTheSameAsPlainJsonb() {
    PlainJsonb plain = plain();
    DocumentColumn documents = fx().documents();
    for (String root : ROOTS) {
      Object key = fx().row(root);
      for (String path : List.of("", "[0]", "[-1]", "[1][1]", "[7].a[1]", "a", "a[1]", "[200]")) {
        assertReads(plain, documents, key, root, DocumentPath.parse(path));
      }
      fx().assertDocument(key, root);
    }
  }

  private static void assertReads(
      PlainJsonb plain, DocumentColumn documents, Object key, String json, DocumentPath path) {
    PlainJsonb.Seen seen = plain.look(json, path, path, 0, 0);
    Optional<String> value = seen.text();
    assertThat(documents.at(key, path).text().map(Documents::canonical))
        .as("text at %s", path)
        .isEqualTo(value);
    assertThat(documents.at(key, path).get().map(JsonbText::text))
        .as("value at %s", path)
        .isEqualTo(value);
    assertThat(documents.at(key, path).exists())
        .as("existence of %s", path)
        .isEqualTo(value.isPresent());
    assertThat(documents.at(key, path).type())
        .as("type at %s", path)
        .isEqualTo(seen.type().map(JsonType::named));
    assertThat(documents.at(key, path).size()).as("size at %s", path).isEqualTo(seen.size());
    assertThat(documents.at(key, path).keys())
        .as("keys at %s", path)
        .isEqualTo(
            seen.keys()
                .map(k -> Json.readTree(k).valueStream().map(JsonNode::stringValue).toList()));
    for (long[] range :
        new long[][] {{0, 0}, {0, 1}, {0, 5}, {3, 4}, {17, 42}, {50, 1000}, {70, 80}}) {
      // Only arrays have elements. For other values, one slice is enough.
      Optional<String> slice =
          seen.slice().flatMap(any -> plain.look(json, path, path, range[0], range[1]).slice());
      assertThat(documents.at(key, path).slice(range[0], range[1]).map(DocumentReadContract::array))
          .as("elements %d to %d at %s", range[0], range[1], path)
          .isEqualTo(slice);
      if (seen.slice().isEmpty()) {
        break;
      }
    }
  }

  private static String array(List<JsonNode> elements) {
    ArrayNode array = Json.mapper().createArrayNode();
    elements.forEach(array::add);
    return JsonbText.text(array);
  }

  @Test
  default void streams_returnTheTextOfTheValue() throws Exception {
    PlainJsonb plain = plain();
    String big = Documents.big(PARTS);
    Object key = fx().row(big);
    for (String path : List.of("", "id", "items", "items[3]", "index", "text", "deep.a")) {
      String value = plain.get(big, DocumentPath.parse(path));
      try (InputStream in = fx().documents().at(key, path).stream().orElseThrow()) {
        assertThat(Documents.canonical(new String(in.readAllBytes(), StandardCharsets.UTF_8)))
            .isEqualTo(value);
        assertThat(in.read()).isEqualTo(-1);
      }
      try (Reader reader = fx().documents().at(key, path).reader().orElseThrow()) {
        StringWriter all = new StringWriter();
        reader.transferTo(all);
        assertThat(Documents.canonical(all.toString())).isEqualTo(value);
      }
      try (JsonParser parser = fx().documents().at(key, path).parser().orElseThrow()) {
        assertThat(JsonbText.text(Json.readTree(parser))).isEqualTo(value);
      }
    }
    assertThat(fx().documents().at(key, "missing").stream()).isEmpty();
    assertThat(fx().documents().at(key, "id.x").reader()).isEmpty();
    assertThat(fx().documents().at(key, "items[60]").parser()).isEmpty();
  }

  @Test
  default void streams_closedEarly_releaseTheirConnection() throws Exception {
    Object key = fx().row(Documents.big(400));
    for (int i = 0; i < 50; i++) {
      try (InputStream in = fx().own().at(key, "items").stream().orElseThrow()) {
        assertThat(in.read()).isEqualTo('[');
      }
    }
    try (JsonParser parser = fx().own().at(key, "items").parser().orElseThrow()) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_ARRAY);
    }
    fx().own().at(key, "id").set(8);
  }

  @Test
  default void stream_whenClosed_throws() throws Exception {
    Object key = fx().row(Documents.big(10));
    InputStream in = fx().documents().stream(key).orElseThrow();
    in.close();
    in.close();
    assertThat(catchThrowable(in::read)).isInstanceOf(IOException.class);
  }

  @Test
  default void stream_duringWrites_showsAConsistentState() throws Exception {
    String big = Documents.big(400);
    Object key = fx().row(big);
    Object after = fx().row(Documents.big(3));
    try (InputStream in = fx().own().stream(key).orElseThrow()) {
      assertThat(in.read()).isEqualTo('{');
      fx().own().at(key, "items[399].no").set("changed");
      fx().own().at(key, "items[0]").remove();
      fx().own().at(key, "index").remove();
      fx().own().putJson(key, "{\"now\": 1}");
      fx().own().clear(after);
      String rest = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Documents.canonical("{" + rest)).isEqualTo(fx().canonical(big));
    }
    fx().assertDocument(key, "{\"now\": 1}");
  }

  @Test
  default void keys_areReadInPages() {
    StringBuilder s = new StringBuilder("{\"\": 0, \"é\": 1, \"zz\": 2");
    for (int i = 0; i < 500; i++) {
      s.append(", \"%s%d\": {\"v\": %d}".formatted(i % 3 == 0 ? "key" : "länger ", i * 31, i));
    }
    Object key = fx().row(s.append(", \"in\": {\"a\": 1, \"b\": 2}}").toString());
    DocumentColumn documents = fx().documents();
    List<String> all = documents.at(key, "").keys().orElseThrow();
    assertThat(all).hasSize(504).doesNotHaveDuplicates().startsWith("", "in", "zz", "é");
    for (int limit : new int[] {1, 7, 100, 1000}) {
      List<String> pages = new ArrayList<>();
      String after = null;
      List<String> page;
      do {
        page = documents.at(key, DocumentPath.root()).keys(after, limit).orElseThrow();
        pages.addAll(page);
        after = page.isEmpty() ? after : page.get(page.size() - 1);
      } while (page.size() == limit && pages.size() < 600);
      assertThat(pages).isEqualTo(all);
    }
    assertThat(documents.at(key, "").keys("no such key", 3).orElseThrow())
        .isEqualTo(behind(all, "no such key").subList(0, 3));
    assertThat(documents.at(key, "in").keys("a", 5)).contains(List.of("b"));
    assertThat(documents.at(key, "in").keys("b", 5)).contains(List.of());
    assertThat(documents.at(key, "in").keys(0)).contains(List.of());
  }

  private static List<String> behind(List<String> keys, String after) {
    int length = after.getBytes(StandardCharsets.UTF_8).length;
    return keys.stream()
        .filter(
            k -> {
              int n = k.getBytes(StandardCharsets.UTF_8).length;
              return n > length || (n == length && k.compareTo(after) > 0);
            })
        .toList();
  }

  @Test
  default void strings_ofAnySize_areReadAndSet() throws Exception {
    DocumentColumn documents = fx().documents();
    for (String unit : List.of("x", "a \"quoted\" \\ line\n\t\u0001 of é漢😀 ")) {
      for (int size : List.of(1_000, 9_000, 30_000, 300_000)) {
        String string = unit.repeat(size / unit.length());
        Object key = fx().row(Json.mapper().writeValueAsString(Map.of("s", string, "n", 1)));
        documents.putJson(key, documents.text(key).orElseThrow());
        hold(key, string);
        documents.at(key, "s").set(string + "!");
        hold(key, string + "!");
        documents.at(key, "s").set("short");
        hold(key, "short");
        documents.at(key, "s").set(string);
        hold(key, string);
      }
    }
  }

  private void hold(Object key, String string) throws Exception {
    DocumentColumn documents = fx().documents();
    DocumentPath path = DocumentPath.of("s");
    String text = Json.mapper().writeValueAsString(string);
    assertThat(documents.at(key, path).get().map(JsonNode::stringValue)).contains(string);
    assertThat(documents.at(key, path).get(String.class)).contains(string);
    assertThat(documents.at(key, path).text().map(Json::readTree).map(JsonNode::stringValue))
        .contains(string);
    assertThat(documents.getAll(List.of(key), path).get(key).stringValue()).isEqualTo(string);
    assertThat(Json.readTree(documents.textAll(List.of(key), path).get(key)))
        .isEqualTo(Json.readTree(text));
    assertThat(documents.load(key).orElseThrow().get("s").stringValue()).isEqualTo(string);
    try (InputStream in = documents.at(key, path).stream().orElseThrow()) {
      assertThat(Json.readTree(in).stringValue()).isEqualTo(string);
    }
  }

  record Item(int no, String text, List<Object> tags, BigDecimal sum) {}

  @Test
  default void values_areMappedToClasses() {
    Object key = fx().row(Documents.big(PARTS));
    DocumentColumn documents = fx().documents();
    Item item = documents.at(key, "items[3]").get(Item.class).orElseThrow();
    assertThat(item.no()).isEqualTo(3);
    assertThat(item.tags()).containsExactly("t3", new BigDecimal("3.5"));
    assertThat(documents.at(key, "price").get(BigDecimal.class)).contains(new BigDecimal("12.50"));
    assertThat(documents.at(key, "name").get(String.class)).contains("big");
    assertThat(documents.at(key, "none").get(String.class)).isEmpty();
    assertThat(documents.at(key, "missing").get(Item.class)).isEmpty();
    assertThat(documents.load(key, Map.class).orElseThrow().get("name")).isEqualTo("big");
  }

  @Test
  default void reads_ofNull_findNothing() throws Exception {
    Object key = fx().row();
    DocumentColumn documents = fx().documents();
    for (String path : List.of("", "a", "[0]", "a.b")) {
      assertThat(documents.at(key, path).get()).isEmpty();
      assertThat(documents.at(key, path).text()).isEmpty();
      assertThat(documents.at(key, path).exists()).isFalse();
      assertThat(documents.at(key, path).type()).isEmpty();
      assertThat(documents.at(key, path).size()).isEmpty();
      assertThat(documents.at(key, path).keys()).isEmpty();
      assertThat(documents.at(key, path).slice(0, 10)).isEmpty();
      assertThat(documents.at(key, path).stream()).isEmpty();
    }
    assertThat(documents.load(key)).isEmpty();
    assertThat(documents.load(key, new StringWriter())).isFalse();
    assertThat(documents.stat(key)).isEmpty();
    assertThat(documents.verify(key)).isEmpty();
    assertThat(documents.compact(key)).isZero();
  }

  @Test
  default void stat_describesTheDocument() {
    Object key = fx().row(Documents.big(PARTS));
    assertThat(fx().documents().stat(key).orElseThrow().rawBytes()).isGreaterThan(10_000);
    assertThat(fx().documents().stat(key).orElseThrow().storedBytes()).isPositive();
  }
}
