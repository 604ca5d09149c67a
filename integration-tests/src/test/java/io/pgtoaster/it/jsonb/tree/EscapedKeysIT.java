package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** Keys that look like markers are escaped in the store, but lists show them as written. */
class EscapedKeysIT {
  private static final DocumentPath BRANCH = DocumentPath.of("map");

  /** Keys of 9 to 13 bytes, which sort before and after the escaped ones. */
  private static ObjectNode members() {
    ObjectNode members = Json.mapper().createObjectNode();
    for (int length = 9; length < 14; length++) {
      for (String first : List.of("!", "#", "$", "%", "p", "z")) {
        for (int i = 10; i < 18; i++) {
          members.put(first.repeat(length - 2) + i, i);
        }
      }
    }
    for (int dollars = 0; dollars < 5; dollars++) {
      members.put("$".repeat(dollars) + "pgtoaster", dollars);
    }
    return members;
  }

  private static List<String> after(List<String> keys, String key, int limit) {
    return keys.stream().filter(k -> KeyOrder.JSONB.compare(k, key) > 0).limit(limit).toList();
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void escapedKeys_areListedInTheOrderOfJsonb_andInPages(Setting setting) throws Exception {
    String options = "{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}";
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed(options))) {
      ObjectNode members = members();
      List<String> ordered = fx.strings("SELECT jsonb_object_keys('" + members + "'::jsonb)");
      assertThat(ordered).hasSize(members.size());
      Object inBranch = fx.row("{\"map\": " + members + "}");
      Object inRest = fx.row(members.toString());
      List<String> others = new ArrayList<>(ordered);
      others.addAll(List.of("", "$$$$$pgtoaster", "$$$$$$pgtoaster", "zzzzzzzzzzzz"));
      for (Object key : List.of(inBranch, inRest)) {
        DocumentPath path = key.equals(inBranch) ? BRANCH : DocumentPath.root();
        assertThat(fx.documents().at(key, path).keys()).contains(ordered);
        for (String last : others) {
          assertThat(fx.documents().at(key, path).keys(last, 3))
              .as("behind %s", last)
              .contains(after(ordered, last, 3));
        }
      }
      fx.afterTest();
    }
  }
}
