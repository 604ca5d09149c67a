package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConditionFailedException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Calls on many documents have the same results as calls on each of them. */
interface ManyDocumentsContract extends DocumentContract {
  /**
   * Returns keys of rows with documents of all sizes, keys of rows without a document, and keys
   * without a row.
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
    return fx().number("SELECT count(*) FROM item" + fx().where(key)) > 0;
  }

  @Test
  default void repeatedKeys_countOnceAndKeepTheirOrder() {
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
      assertThat(documents.textAll(List.of(own, key), "items[17].no"))
          .containsExactly(Map.entry(own, "17"), Map.entry(key, "\"changed\""));
    }
    connection.rollback();
    assertThat(fx().own().textAll(List.of(key), "items[17].no"))
        .containsExactly(Map.entry(key, "17"));
  }

  @Test
  default void editAll_ofDocumentsOfAllSizes_equalsSingleEdits() {
    for (DocumentColumn documents : fx().executors()) {
      Map<Object, List<JsonEdit>> batch = new LinkedHashMap<>();
      Map<Object, String> expected = new LinkedHashMap<>();
      for (int size : new int[] {0, 1, 7, 60, 61, 300}) {
        String json = Documents.big(size);
        List<JsonEdit> edits =
            List.of(
                set("name", "new " + size),
                append("items", "last"),
                set("items[-1]", "moved ".repeat(size * 5)),
                new JsonEdit.Remove(DocumentPath.parse("items[0]")),
                new JsonEdit.Remove(DocumentPath.parse("nothing")));
        Object single = fx().row(json);
        fx().own().edit(single, edits);
        Object key = fx().row(json);
        batch.put(key, edits);
        expected.put(key, fx().document(single));
      }

      documents.editAll(batch);

      expected.forEach(
          (key, json) -> {
            assertThat(fx().document(key)).isEqualTo(json);
            assertThat(fx().own().verify(key)).isEmpty();
          });
    }
  }

  @Test
  default void appendAll_appendsOneElementToEachDocument() {
    for (DocumentColumn documents : fx().executors()) {
      Object small = fx().row("{\"items\": []}");
      Object big = fx().row("{\"items\": [%s1]}".formatted("\"an element\", ".repeat(3_000)));
      Map<Object, Object> elements = new LinkedHashMap<>();
      elements.put(big, List.of("a", "b"));
      elements.put(small, Map.of("no", 1));

      documents.appendAll("items", elements);

      assertThat(fx().own().at(small, "items").text()).hasValue("[{\"no\": 1}]");
      assertThat(fx().own().at(big, "items[3001]").text()).hasValue("[\"a\", \"b\"]");
      documents.appendAll("items", Map.of());
    }
  }

  @Test
  default void editAll_withARowThatFails_changesNothing() {
    Object one = fx().row("{\"n\": 1}");
    Object other = fx().row(Documents.big(60));
    Object unknown = fx().unknownKey();
    String before = fx().document(other);
    Map<Object, List<JsonEdit>> batch = new LinkedHashMap<>();
    batch.put(one, List.of(set("n", "2")));
    batch.put(other, List.of(set("name", "2"), set("missing.here", "2")));
    Expect.refused(PathNotFoundException.class, () -> fx().own().editAll(batch));
    batch.put(other, List.of(set("name", "2")));
    batch.put(unknown, List.of(set("name", "2")));
    Expect.refused(RowNotFoundException.class, () -> fx().own().editAll(batch));
    assertThat(fx().own().text(one)).hasValue("{\"n\": 1}");
    assertThat(fx().document(other)).isEqualTo(before);
  }

  @Test
  default void editEach_withRefusedRows_editsTheOthers() throws Exception {
    for (DocumentColumn documents : fx().executors()) {
      editSomeOf(documents, () -> null);
    }
    try (Connection connection = fx().begin()) {
      for (DocumentColumn documents : fx().executorsOn(connection)) {
        editSomeOf(
            documents,
            () -> {
              connection.commit();
              return null;
            });
      }
    }
  }

  /** A value that Jackson cannot convert. */
  final class Unreadable {
    public int getSize() {
      return Integer.parseInt("none");
    }
  }

  private void editSomeOf(DocumentColumn documents, Callable<?> commit) throws Exception {
    Map<Object, List<JsonEdit>> batch = new LinkedHashMap<>();
    Map<Object, Class<?>> refused = new LinkedHashMap<>();
    Map<Object, String> before = new LinkedHashMap<>();
    JsonEdit name = set("name", "new");
    Object unknown = fx().unknownKey();
    batch.put(unknown, List.of(name));
    refused.put(unknown, RowNotFoundException.class);
    for (String json : List.of("{\"name\": \"x\", \"items\": []}", Documents.big(60))) {
      batch.put(fx().row(json), List.of(name, append("items", "last")));
      Map.of(
              PathNotFoundException.class,
              List.of(name, set("missing.here", "2")),
              InvalidPathException.class,
              List.of(append("name", "2")),
              ConditionFailedException.class,
              List.of(name, new JsonEdit.Conditional(name, Json.toTree("other"))),
              InvalidJsonException.class,
              List.of(name, JsonEdit.set("items", new Unreadable())))
          .forEach(
              (failure, edits) -> {
                Object key = fx().row(json);
                refused.put(key, failure);
                before.put(key, fx().document(key));
                batch.put(key, edits);
              });
      batch.put(fx().row(json), List.of(name));
    }

    Map<Object, PgToasterException> failures = documents.editEach(batch);
    commit.call();

    assertThat(List.copyOf(failures.keySet())).isEqualTo(List.copyOf(refused.keySet()));
    for (Object key : batch.keySet()) {
      if (refused.containsKey(key)) {
        assertThat(failures.get(key)).isInstanceOf(refused.get(key)).hasMessageContaining("key ");
      }
      if (before.containsKey(key)) {
        assertThat(fx().document(key)).isEqualTo(before.get(key));
      } else if (!key.equals(unknown)) {
        assertThat(fx().own().at(key, "name").text()).hasValue("\"new\"");
        assertThat(fx().own().verify(key)).isEmpty();
      }
    }
  }

  @Test
  default void appendEach_ofNothing_orToAnUnknownRow_returnsItsFailure() {
    DocumentPath items = DocumentPath.parse("items");
    Object unknown = fx().unknownKey();
    Object key = fx().row("{\"items\": []}");
    assertThat(fx().own().appendEach(items, Map.of())).isEmpty();
    assertThat(fx().own().appendEach(items, Map.of(key, "a"))).isEmpty();
    assertThat(fx().own().appendEach(items, Map.of(key, "b", unknown, "b")))
        .containsOnlyKeys(unknown);
    assertThat(fx().own().at(key, "items").text()).hasValue("[\"a\", \"b\"]");
  }

  @Test
  default void editAll_withTwoKeysOfOneRow_isRefused() {
    Object key = fx().row("{\"n\": 1}");
    List<?> values = key instanceof List<?> list ? list : List.of(key);
    RowKey same = new RowKey(values.stream().map(String::valueOf).toList());
    Map<Object, List<JsonEdit>> batch = new LinkedHashMap<>();
    batch.put(key, List.of(set("n", "2")));
    batch.put(same, List.of(set("n", "3")));
    assertThatThrownBy(() -> fx().own().editAll(batch))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
    assertThat(fx().own().text(key)).hasValue("{\"n\": 1}");
  }

  @Test
  default void batchesInOppositeOrders_doNotDeadlock() throws Exception {
    DocumentColumn documents = fx().own();
    List<Object> keys = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      keys.add(fx().row(i % 2 == 0 ? "{\"items\": []}" : Documents.big(60)));
    }
    List<Object> reversed = new ArrayList<>(keys);
    Collections.reverse(reversed);
    Wait.inThreads(
        2,
        thread -> {
          Map<Object, Object> elements = new LinkedHashMap<>();
          List.of(keys, reversed).get(thread).forEach(key -> elements.put(key, "x"));
          for (int round = 0; round < 5; round++) {
            documents.appendAll("items", elements);
          }
        });
    assertThat(documents.at(keys.get(0), "items").size()).hasValue(10);
    assertThat(documents.at(keys.get(1), "items").size()).hasValue(70);
  }

  private static JsonEdit set(String path, String value) {
    return new JsonEdit.Set(DocumentPath.parse(path), Json.toTree(value), true);
  }

  private static JsonEdit append(String path, String value) {
    return new JsonEdit.Append(
        DocumentPath.parse(path), Json.mapper().createArrayNode().add(value));
  }
}
