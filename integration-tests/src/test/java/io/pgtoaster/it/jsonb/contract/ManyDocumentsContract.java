package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Reading one path of many documents returns the same as reading it in each of them. */
interface ManyDocumentsContract extends DocumentContract {
  /**
   * Returns keys of rows with documents of all sizes, of rows without a document, and of no row.
   */
  private List<Object> keys() {
    List<Object> keys = new ArrayList<>();
    keys.add(fx().row(Documents.big(60)));
    keys.add(fx().row());
    keys.add(fx().row("{\"id\": 1, \"name\": \"small\", \"items\": [], \"$pgtoaster\": [5]}"));
    keys.add(fx().unknownKey());
    keys.add(fx().row("[1, {\"name\": \"array\"}]"));
    keys.add(fx().row("null"));
    keys.add(fx().row(Documents.big(7)));
    keys.add(fx().row(Documents.big(61)));
    Collections.reverse(keys);
    return keys;
  }

  @Test
  default void everyPath_returnsTheSameAsSingleReads() {
    List<Object> keys = keys();
    for (DocumentColumn documents : fx().executors()) {
      for (String text : DocumentReadContract.PATHS) {
        DocumentPath path = DocumentPath.parse(text);
        Map<Object, JsonNode> values = documents.getAll(keys, path);
        Map<Object, String> texts = documents.textAll(keys, path);
        List<Object> there = new ArrayList<>();
        for (Object key : keys) {
          String one = exists(key) ? documents.at(key, path).text().orElse(null) : null;
          if (one != null) {
            there.add(key);
            assertThat(Documents.canonical(texts.get(key)))
                .as(text)
                .isEqualTo(Documents.canonical(one));
            assertThat(JsonbText.text(values.get(key))).isEqualTo(Documents.canonical(one));
          }
        }
        assertThat(values.keySet()).as(text).containsExactlyElementsOf(there);
        assertThat(texts.keySet()).as(text).containsExactlyElementsOf(there);
      }
    }
  }

  private boolean exists(Object key) {
    return fx().database().number("SELECT count(*) FROM item" + fx().where(key)) > 0;
  }

  @Test
  default void keysGivenTwice_countOnceAndKeepTheirOrder() {
    Object first = fx().row("{\"a\": 1}");
    Object second = fx().row("{\"a\": 2}");
    DocumentPath path = DocumentPath.parse("a");
    for (DocumentColumn documents : fx().executors()) {
      assertThat(documents.textAll(List.of(second, first, second), path))
          .containsExactly(Map.entry(second, "2"), Map.entry(first, "1"));
      assertThat(documents.textAll(new HashSet<>(List.of(first)), path))
          .containsExactly(Map.entry(first, "1"));
      assertThat(documents.textAll(List.of(fx().unknownKey()), path)).isEmpty();
      assertThat(documents.getAll(List.of(), path)).isEmpty();
    }
  }

  @Test
  default void manyReads_seeTheWritesOfTheirTransaction() throws Exception {
    Object key = fx().row(Documents.big(60));
    Connection connection = fx().begin();
    for (DocumentColumn documents : fx().executorsOn(connection)) {
      documents.at(key, "items[17].no").set("changed");
      Object own = fx().unknownKey();
      try (var s = connection.createStatement()) {
        s.execute(fx().insert(own));
      }
      documents.putJson(own, Documents.big(30));
      assertThat(documents.textAll(List.of(own, key), DocumentPath.parse("items[17].no")))
          .containsExactly(Map.entry(own, "17"), Map.entry(key, "\"changed\""));
    }
    connection.rollback();
    assertThat(fx().own().textAll(List.of(key), DocumentPath.parse("items[17].no")))
        .containsExactly(Map.entry(key, "17"));
  }
}
