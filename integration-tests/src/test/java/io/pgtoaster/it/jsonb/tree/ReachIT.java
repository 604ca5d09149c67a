package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One statement finds a value wherever it is stored, unless the value is large. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReachIT {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 5);
  private static final int READS = 400;
  private static final String LONG = "x".repeat(3_000);

  @AutoClose private DocumentFixture fx;

  @BeforeAll
  void open() {
    fx = new DocumentFixture(new Setting(PostgresServers.newest(), true), DocumentSpec.keyed("{}"));
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx.afterTest();
  }

  private static String array(int elements) {
    StringBuilder text = new StringBuilder("[0");
    for (int i = 1; i < elements; i++) {
      text.append(", ").append(i);
    }
    return text.append(']').toString();
  }

  private static String members(int count, String value) {
    StringBuilder text = new StringBuilder("{\"k\": 0");
    for (int i = 0; i < count; i++) {
      text.append(", \"k").append(i).append("\": ").append(value);
    }
    return text.append('}').toString();
  }

  /** Creates documents with the member "v" in different places; returns its values by key. */
  private Map<Object, @Nullable String> places() {
    Map<Object, @Nullable String> places = new HashMap<>();
    String filler = ", \"filler\": \"" + LONG + "\"";
    String longer = LONG.repeat(5);
    for (String value :
        List.of(
            "7",
            "null",
            "\"" + LONG + "\"",
            "\"" + longer.replace("xx", "\\\"\u00e9\\u0001") + "\"",
            array(3_000),
            "[" + array(3_000) + ", 7, [], {}]",
            "[1, 2]",
            members(700, "1"),
            members(700, "{\"$pgtoaster\": 5}"),
            members(20, "\"" + LONG + "\""))) {
      places.put(fx.row("{\"v\": " + value + filler + "}"), value);
      places.put(fx.row("{\"v\": " + value + "}"), value);
    }
    String nested = "{\"a\": \"" + LONG + "\", \"b\": {\"$pgtoaster\": [5], \"c\": 1}}";
    places.put(fx.row("{\"v\": " + nested + filler + "}"), nested);
    String ours = "{\"$pgtoaster\": 5}";
    places.put(fx.row("{\"v\": " + ours + filler + "}"), ours);
    String told = "\"it says \\\"$pgtoaster\\\": 5\"";
    places.put(fx.row("{\"v\": " + told + filler + "}"), told);
    places.put(fx.row("{\"w\": 1" + filler + "}"), null);
    places.put(fx.row("{\"w\": 1}"), null);
    places.put(fx.row(), null);
    places.put(fx.row("[1, 2]"), null);
    places.put(fx.row(array(3_000)), null);
    return places;
  }

  @Test
  void valuesInAllPlaces_areReadInAnyOrder() {
    Map<Object, @Nullable String> places = places();
    List<Object> keys = List.copyOf(places.keySet());
    Random random = new Random(SEED);
    DocumentPath path = DocumentPath.of("v");
    DocumentColumn documents = PgToaster.create(fx.pool()).documents("item", "doc");
    for (int i = 0; i < READS; i++) {
      Object key = keys.get(random.nextInt(keys.size()));
      for (int repeat = random.nextInt(4); repeat >= 0; repeat--) {
        String text = documents.at(key, path).text().orElse(null);
        String expected = places.get(key);
        assertThat(text == null ? null : Documents.canonical(text))
            .as("seed %d, read %d", SEED, i)
            .isEqualTo(expected == null ? null : Documents.canonical(expected));
      }
      List<Object> some = List.of(key, keys.get(random.nextInt(keys.size())));
      Map<Object, String> texts = documents.textAll(some, path);
      for (Object one : some) {
        String expected = places.get(one);
        String text = texts.get(one);
        assertThat(text == null ? null : Documents.canonical(text))
            .isEqualTo(expected == null ? null : Documents.canonical(expected));
      }
    }
  }

  private static String branches(int count) {
    return "[" + ("[" + array(1_500) + "], ").repeat(count) + "7]";
  }

  @Test
  void value_takesOneStatement_whereverItIsStored() {
    String value =
        "{\"v\": 7, \"text\": \"%s\", \"list\": %s, \"nested\": %s, \"map\": %s}"
            .formatted(LONG.repeat(30), array(5_000), branches(4), members(2_000, "{\"a\": 1}"));
    Object key = fx.row(value);
    Object plain = fx.row("{\"v\": 7}");
    Recorder recorder = new Recorder();
    DocumentColumn documents =
        PgToaster.create(recorder.record(fx.pool())).documents("item", DocumentFixture.COLUMN);
    documents.describe();
    for (String path :
        List.of("v", "text", "list", "list[4000]", "list[-1]", "nested", "nested[3]", "map.k7.a")) {
      recorder.clear();
      assertThat(documents.at(key, path).text()).isPresent();
      assertThat(documents.at(key, path).exists()).isTrue();
      assertThat(documents.textAll(List.of(plain, key), path)).isNotEmpty();
      assertThat(documents.at(key, path).size()).isNotNull();
      assertThat(recorder.statements()).as(path).hasSize(4);
    }
    assertThat(documents.at(key, "list").size()).hasValue(5_000);
    assertThat(documents.at(key, "map").size()).hasValue(2_001);
    assertThat(documents.at(key, "nested[0][0]").size()).hasValue(1_500);
    assertThat(documents.at(key, "nested").text().map(Documents::canonical))
        .contains(Documents.canonical(branches(4)));
  }

  @Test
  void largeValue_isReadAsAStream() {
    String large = "[" + branches(40) + ", " + array(3_000) + "]";
    Object key =
        fx.row(
            "{\"v\": "
                + large
                + ", \"map\": "
                + members(30_000, "\"" + "y".repeat(20) + "\"")
                + "}");
    DocumentColumn documents = PgToaster.create(fx.pool()).documents("item", "doc");
    assertThat(documents.at(key, "v").text().map(Documents::canonical))
        .contains(Documents.canonical(large));
    assertThat(documents.textAll(List.of(key, 0, key), DocumentPath.of("v"))).hasSize(1);
    assertThat(documents.textAll(List.of(key), DocumentPath.root())).hasSize(1);
    assertThat(documents.at(key, "map").size()).hasValue(30_001);
  }

  @Test
  void copiedStub_isRefused() {
    Object key = fx.row("{\"v\": \"" + LONG.repeat(5) + "\"}");
    Object copy = fx.row();
    fx.runWithoutTriggers(
        "UPDATE item SET doc = (SELECT doc FROM item%s)%s"
            .formatted(fx.where(key), fx.where(copy)));
    DocumentColumn documents = PgToaster.create(fx.pool()).documents("item", "doc");
    for (int i = 0; i < 4; i++) {
      assertThat(documents.at(key, "v").text()).isPresent();
      assertThat(documents.textAll(List.of(key), DocumentPath.of("v"))).hasSize(1);
    }
    Expect.failed(DocumentCorruptException.class, () -> documents.at(copy, "v").text());
    Expect.failed(
        DocumentCorruptException.class,
        () -> documents.textAll(List.of(key, copy), DocumentPath.of("v")));
    fx.own().clear(copy);
  }
}
