package io.pgtoaster.jsonb.keyed.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonEquality;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.PinnedPaths;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds nodes in memory from random documents, and reads the documents back. */
class BuilderTest {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static SplitPolicy policy(int rowBudget, int leafSize, int fanOut, String pinned) {
    return new SplitPolicy(rowBudget, leafSize, fanOut, PinnedPaths.parse(pinned));
  }

  private static StubBuilder.Stub stub(SplitPolicy policy, Nodes nodes, JsonNode document)
      throws SQLException {
    StubBuilder builder =
        new StubBuilder(policy, new Builder(policy, nodes), () -> 7, policy.inlineBudget(40));
    try (JsonParser parser = Json.mapper().treeAsTokens(document)) {
      parser.nextToken();
      return builder.read(parser);
    }
  }

  private static JsonNode value(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 4 : 8)) {
      case 0 -> JSON.numberNode(random.nextInt(100_000));
      case 1 -> random.nextBoolean() ? JSON.nullNode() : JSON.booleanNode(random.nextBoolean());
      case 2, 3 -> {
        int repeat = random.nextInt(random.nextInt(20) == 0 ? 900 : 9);
        yield JSON.stringNode("é\uD83D\uDE00\"\\x".repeat(repeat));
      }
      case 4, 5 -> {
        ArrayNode array = JSON.arrayNode();
        for (int n = size(random); n > 0; n--) {
          array.add(value(random, depth - 1));
        }
        yield array;
      }
      default -> {
        ObjectNode object = JSON.objectNode();
        for (int n = size(random); n > 0; n--) {
          object.set(key(random), value(random, depth - 1));
        }
        yield object;
      }
    };
  }

  private static int size(Random random) {
    return random.nextInt(random.nextInt(6) == 0 ? 120 : 6);
  }

  private static String key(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> "$".repeat(random.nextInt(4)) + "pgtoaster";
      case 1 -> "k".repeat(random.nextInt(200)) + random.nextInt(4);
      default -> "key " + random.nextInt(10_000);
    };
  }

  @Test
  void anyDocument_isReadBackUnchanged() throws SQLException {
    for (int run = 0; run < 60; run++) {
      Random random = new Random(SEED + run);
      SplitPolicy policy =
          policy(256 << random.nextInt(4), 512 << random.nextInt(3), 4 + random.nextInt(8), "[]");
      JsonNode document = value(random, 3);
      Nodes nodes = new Nodes();
      StubBuilder.Stub stub = stub(policy, nodes, document);
      JsonNode stored = Json.readStored(stub.text());
      assertThat(JsonEquality.equal(nodes.whole(stored), document))
          .as("seed %d", SEED + run)
          .isTrue();
      assertThat(stub.split()).isEqualTo(stored.isObject() && stored.has(Markers.KEY));
      assertBounds(policy, nodes, SEED + run);
    }
  }

  @Test
  void members_areStoredInOrder_andTheLastDuplicateWins() throws SQLException {
    String long1 = "l".repeat(5_000);
    String text =
        """
        {"z": {"bb": 1, "a": {"y": -5, "x": 2.50}, "bb": "%s", "ä": "\\u00e9\\n", "c": [1, {"r": 1, "q": 2}], "bb": [true]},
         "a": [{"k": "%s", "j": 1, "k": null, "i": {"$pgtoaster": 3}}]}"""
            .formatted(long1, long1);
    SplitPolicy policy = policy(2_000, 4_096, 8, "[]");
    Builder builder = new Builder(policy, new Nodes());
    try (JsonParser parser = Json.parser(text)) {
      parser.nextToken();
      StubBuilder.Stub stub = new StubBuilder(policy, builder, () -> 7, 2_000).read(parser);
      assertThat(stub.text())
          .isEqualTo(
              """
              {"a": [{"i": {"$$pgtoaster": 3}, "j": 1, "k": null}], \
              "z": {"a": {"x": 2.50, "y": -5}, "c": [1, {"q": 2, "r": 1}], "bb": [true], "ä": "é\\n"}, \
              "$pgtoaster": [7]}""");
    }
    assertThat(builder.dropped().size()).isEqualTo(2);
  }

  private static void assertBounds(SplitPolicy policy, Nodes nodes, long seed) {
    Set<Long> named = new HashSet<>();
    nodes.leaves.forEach(
        (id, piece) -> {
          JsonNode value = Json.readStored(piece.text());
          assertThat(JsonbText.text(value)).as("seed %d", seed).isEqualTo(piece.text());
          assertThat(piece.bytes() <= policy.leafSize() * 3L / 2 || value.size() <= 1)
              .as("leaf of %d bytes and %d entries, seed %d", piece.bytes(), value.size(), seed)
              .isTrue();
          Ids marked = new Ids();
          Markers.forEach(value, marked::add);
          assertThat(piece.kids().literal()).as("seed %d", seed).isEqualTo(marked.literal());
          for (int i = 0; i < marked.size(); i++) {
            assertThat(named.add(marked.get(i))).isTrue();
          }
        });
    nodes.inners.forEach(
        (id, inner) -> {
          assertThat(inner.children()).hasSizeBetween(1, policy.fanOut());
          inner.children().forEach(c -> assertThat(named.add(c.id())).isTrue());
        });
    Set<Long> all = new HashSet<>(nodes.leaves.keySet());
    all.addAll(nodes.inners.keySet());
    assertThat(all).containsAll(named);
  }

  @Test
  void objects_areSplitInKeyOrder() throws SQLException {
    Nodes nodes = new Nodes();
    ObjectNode document = JSON.objectNode();
    ObjectNode map = document.putObject("map");
    for (int i = 0; i < 500; i++) {
      map.put("k" + i * 31 % 997, "value " + i);
    }
    StubBuilder.Stub unused = stub(policy(256, 512, 4, "[]"), nodes, document);
    assertThat(unused.split()).isTrue();
    nodes.inners.forEach(
        (id, inner) -> {
          List<String> lows = new ArrayList<>();
          inner.children().stream().skip(1).forEach(c -> lows.add(c.low()));
          assertThat(lows).isSorted().doesNotHaveDuplicates();
        });
  }

  /** Their codes are equal, so an inner node cannot separate them. */
  @Test
  void longKeysWithACommonPrefix_stayInOneLeaf() throws SQLException {
    ObjectNode document = JSON.objectNode();
    for (int i = 0; i < 40; i++) {
      document.put("k".repeat(900) + (10 + i), i);
      document.put("l".repeat(100) + (10 + i), i);
    }
    Nodes nodes = new Nodes();
    StubBuilder.Stub stub = stub(policy(256, 512, 4, "[]"), nodes, document);
    assertThat(JsonEquality.equal(nodes.whole(Json.readStored(stub.text())), document)).isTrue();
    assertThat(nodes.leaves.values().stream().filter(p -> p.text().contains("k".repeat(900))))
        .hasSize(1);
  }

  @Test
  void insertInTheMiddle_keepsMostLeaves() throws SQLException {
    for (int run = 0; run < 20; run++) {
      Random random = new Random(SEED + run);
      ArrayNode list = JSON.arrayNode();
      for (int i = 0; i < 2_000; i++) {
        list.addObject().put("no", random.nextInt()).put("text", "x".repeat(random.nextInt(60)));
      }
      Set<String> before = leaves(list);
      list.insertObject(900 + random.nextInt(200)).put("new", random.nextInt());
      Set<String> after = leaves(list);
      assertThat(after).hasSizeGreaterThan(50);
      after.removeAll(before);
      assertThat(after).as("seed %d", SEED + run).hasSizeLessThan(15);
    }
  }

  private static Set<String> leaves(JsonNode list) throws SQLException {
    Nodes nodes = new Nodes();
    StubBuilder.Stub unused = stub(policy(2000, 2048, 64, "[]"), nodes, list);
    assertThat(unused.split()).isTrue();
    Set<String> texts = new HashSet<>();
    nodes.leaves.values().forEach(p -> texts.add(p.text()));
    return texts;
  }

  @Test
  void pinnedMembers_stayInTheRow() throws SQLException {
    for (int run = 0; run < 200; run++) {
      Random random = new Random(SEED + run);
      ObjectNode document = JSON.objectNode();
      for (int i = 0; i < 10; i++) {
        document.set("m" + i, value(random, 3));
      }
      document.put("pinned", "p".repeat(random.nextInt(400)));
      ObjectNode partly = document.putObject("partly");
      partly.set("inner", JSON.arrayNode().add("i".repeat(random.nextInt(400))));
      partly.set("other", value(random, 3));
      Nodes nodes = new Nodes();
      StubBuilder.Stub stub =
          stub(policy(512, 1024, 8, "[\"/pinned\", \"/partly/inner\"]"), nodes, document);
      JsonNode stored = Json.readStored(stub.text());
      assertThat(stored.get("pinned")).isEqualTo(document.get("pinned"));
      assertThat(stored.get("partly").get("inner")).isEqualTo(partly.get("inner"));
      assertThat(JsonEquality.equal(nodes.whole(stored), document)).isTrue();
    }
  }

  @Test
  void pinnedMember_doesNotReduceTheRoomForOthers() throws SQLException {
    ObjectNode document = JSON.objectNode();
    document.put("variants", "v".repeat(5_000)).put("name", "Ada").put("price", 5);
    for (int i = 0; i < 9; i++) {
      document.put("m" + i, "x".repeat(90));
    }
    StubBuilder.Stub stub = stub(policy(2000, 1024, 8, "[\"/variants\"]"), new Nodes(), document);
    assertThat(Json.readStored(stub.text())).isEqualTo(document);
    document.put("large", "y".repeat(3_000));
    JsonNode stored =
        Json.readStored(
            stub(policy(2000, 1024, 8, "[\"/variants\"]"), new Nodes(), document).text());
    assertThat(stored.get("name").asString()).isEqualTo("Ada");
    assertThat(stored.get("m8")).isEqualTo(document.get("m8"));
    assertThat(stored.get("large").isObject()).isTrue();
  }

  @Test
  void stub_fitsTheBudget_ifEnoughMembersMayMoveOutOfLine() throws SQLException {
    for (int run = 0; run < 60; run++) {
      Random random = new Random(SEED + run);
      SplitPolicy policy = policy(256 << random.nextInt(5), 1024, 8, "[]");
      ObjectNode document = JSON.objectNode();
      for (int n = 1 + random.nextInt(300); n > 0; n--) {
        document.set("m" + random.nextInt(100_000), value(random, 2));
      }
      StubBuilder.Stub stub = stub(policy, new Nodes(), document);
      assertThat(JsonbSize.size(Json.readStored(stub.text())))
          .as("seed %d", SEED + run)
          .isLessThanOrEqualTo(policy.inlineBudget(40));
    }
  }
}
