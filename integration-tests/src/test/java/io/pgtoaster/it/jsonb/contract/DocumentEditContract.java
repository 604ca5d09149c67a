package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.ConditionFailedException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.DocumentEdits;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PlainJsonb;
import io.pgtoaster.it.kit.Thinned;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Edits by path have the same result as PostgreSQL's operators on plain jsonb. */
interface DocumentEditContract extends DocumentContract {
  /** Paths to edit in {@link Documents#big} with ten parts. */
  List<String> CHANGED =
      List.of(
          "id",
          "name",
          "none",
          "none.x",
          "id.x",
          "empty",
          "empty.x",
          "empty.x.y",
          "nothing",
          "nothing[0]",
          "nothing[-1]",
          "nothing.x",
          "few[0]",
          "few[-1][0]",
          "few[-1][5]",
          "few[-9]",
          "few[4]",
          "few.x",
          "few[\" 1\"]",
          "missing",
          "missing.x",
          "items",
          "items[0]",
          "items[5]",
          "items[5].tags[1]",
          "items[5].new",
          "items[5].new.x",
          "items[-1]",
          "items[-10]",
          "items[-11]",
          "items[10]",
          "items[99]",
          "items.no",
          "index",
          "index.k0",
          "index.k35.tags[-1]",
          "index.k35.sum",
          "index.k1",
          "index.added",
          "index[7]",
          "text",
          "text.x",
          "deep.a.b.c[9]",
          "deep.a.b.c[4][1].x",
          "deep.a.b.c[4][1].z",
          "deep.a.b.n",
          "deep.list[1][1].y[-3]",
          "deep.list[2]",
          "deep.a.x.c",
          "items[99].made[0].x",
          "items[-99].made[-1].x",
          "items[5].new.made.x",
          "index.added.made[0]",
          "added.made[1]");

  /** Values of all sizes: some keep the layout, others must leave the row or split it. */
  List<String> VALUES =
      List.of(
          "\"new\"",
          "[\"some\", {\"more\": 1.0}]",
          "{\"big\": \"" + Documents.words(5, 700) + "\", \"k\": [1, 2, 3]}",
          "\"" + Documents.words(6, 6000) + "\"");

  private PlainJsonb plain() {
    return new PlainJsonb(fx().connect());
  }

  /** Edits a document and compares the result with plain jsonb. */
  private void assertSame(
      PlainJsonb plain, DocumentColumn documents, Object key, String json, JsonEdit edit) {
    String what = edit.getClass().getSimpleName() + " at " + edit.path() + " of " + start(json);
    String expected = plain.edit(json, edit);
    if (expected == null) {
      assertThat(catchThrowable(() -> attempt(documents, key, edit)))
          .as(what)
          .isInstanceOf(InvalidPathException.class);
      assertThat(fx().document(key)).as(what).isEqualTo(json);
      return;
    }
    Object result = attempt(documents, key, edit);
    assertThat(fx().document(key)).as(what).isEqualTo(expected);
    boolean changed = !expected.equals(json);
    if (edit instanceof JsonEdit.Increment) {
      String number = changed ? plain.get(expected, edit.path()) : null;
      assertThat(result).as(what).isEqualTo(number == null ? null : new BigDecimal(number));
    } else {
      assertThat(result).as(what).isEqualTo(changed);
    }
    if (changed) {
      assertThat(fx().own().verify(key)).as(what).isEmpty();
      fx().own().putJson(key, json);
    }
  }

  private static Object attempt(DocumentColumn documents, Object key, JsonEdit edit) {
    return DocumentEdits.tryApply(documents.at(key, edit.path()), edit);
  }

  private static String start(String json) {
    return json.substring(0, Math.min(json.length(), 20));
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 300, 3000})
  default void set_ofAnElementToAnotherOfTheSameSize_changesIt(int size) {
    Object key = fx().row();
    DocumentColumn documents = fx().documents();
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add("element number %20d".formatted(i));
    }
    documents.put(key, Map.of("before", 1, "elements", elements));
    for (int i : new int[] {0, size / 2, size - 1}) {
      for (String now : List.of("another %28d", "changed %28d")) {
        elements.set(i, now.formatted(i));
        documents.at(key, "elements[" + i + "]").set(elements.get(i));
        assertThat(documents.at(key, "elements[" + i + "]").get(String.class))
            .hasValue(elements.get(i));
      }
    }
    fx().assertDocument(key, Json.toTree(Map.of("before", 1, "elements", elements)).toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  default void everyEdit_worksLikeOnPlainJsonb(int number) {
    PlainJsonb plain = plain();
    DocumentColumn documents = fx().documents();
    String json = plain.canonical(Documents.big(10));
    Object key = fx().row(json);
    JsonNode value = Json.readTree(VALUES.get(number));
    ArrayNode elements = Json.mapper().createArrayNode().add(value).add(1);
    Thinned cases = new Thinned(fx().setting());
    for (String text : CHANGED) {
      DocumentPath path = DocumentPath.parse(text);
      List<JsonEdit> edits =
          new ArrayList<>(
              List.of(
                  new JsonEdit.Set(path, value, true),
                  new JsonEdit.Set(path, value, false),
                  new JsonEdit.Set(path, value, true, true),
                  new JsonEdit.Insert(path, value, false),
                  new JsonEdit.Insert(path, value, true),
                  new JsonEdit.Append(path, elements)));
      if (number == 0) {
        edits.add(new JsonEdit.Remove(path));
        edits.add(new JsonEdit.KeepLast(path, 0));
        edits.add(new JsonEdit.KeepLast(path, 3));
        edits.add(new JsonEdit.KeepLast(path, 9));
        edits.add(new JsonEdit.KeepLast(path, 900));
        edits.add(new JsonEdit.Increment(path, new BigDecimal("-1.50")));
      }
      // If there is no store, the size of a value does not matter.
      int most = number == 0 || fx().spec().hasStore() ? edits.size() : 1;
      for (JsonEdit edit : edits.subList(0, most)) {
        if (cases.takes()) {
          assertSame(plain, documents, key, json, edit);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  default void severalEdits_workLikeSuccessiveEditsOfPlainJsonb(int number) {
    PlainJsonb plain = plain();
    String json = plain.canonical(Documents.big(10));
    Object key = fx().row(json);
    JsonNode value = Json.readTree(VALUES.get(number));
    ArrayNode elements = Json.mapper().createArrayNode().add(value).add(1);
    List<JsonEdit> batch = new ArrayList<>();
    for (String text : CHANGED) {
      DocumentPath path = DocumentPath.parse(text);
      List<JsonEdit> edits =
          List.of(
              new JsonEdit.Increment(path, BigDecimal.TEN),
              new JsonEdit.Insert(path, value, false),
              new JsonEdit.Append(path, elements),
              new JsonEdit.KeepLast(path, 2),
              new JsonEdit.Set(path, value, true, true),
              new JsonEdit.Conditional(new JsonEdit.Remove(path), value));
      for (JsonEdit edit : edits) {
        JsonEdit made = edit instanceof JsonEdit.Conditional c ? c.edit() : edit;
        String next = plain.edit(json, made);
        if (next != null && !next.equals(json)) {
          json = next;
          batch.add(edit);
        }
      }
      if (batch.size() > 9) {
        fx().documents().edit(key, batch);
        assertThat(fx().document(key)).as(text).isEqualTo(json);
        batch.clear();
      }
    }
    fx().documents().edit(key, batch);
    assertThat(fx().document(key)).isEqualTo(json);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 400})
  default void severalEdits_areAllMadeOrNone(int size) {
    String json = "{\"n\": 5, \"a\": [%s]}".formatted("1, ".repeat(size * 10) + 1);
    Object key = fx().row();
    DocumentColumn documents = fx().own();
    documents.putJson(key, json);
    JsonNode one = Json.toTree(1);
    JsonEdit first = JsonEdit.increment("n", 1);
    JsonEdit second = set("a[1]");
    Expect.refused(
        PathNotFoundException.class, () -> documents.edit(key, List.of(first, second, set("x.y"))));
    Expect.refused(
        InvalidPathException.class, () -> documents.edit(key, List.of(first, second, set("a.b"))));
    Expect.refused(InvalidPathException.class, () -> documents.edit(key, List.of(first, set(""))));
    for (JsonEdit late :
        List.of(
            new JsonEdit.Conditional(set("a[1]"), one),
            new JsonEdit.Conditional(set("x.y"), one),
            new JsonEdit.Conditional(set("x.y"), null))) {
      ConditionFailedException failed =
          Expect.refused(
              ConditionFailedException.class,
              () -> documents.edit(key, List.of(first, second, late)));
      assertThat(failed.edit()).isEqualTo(3);
      assertThat(failed.sqlState()).isEqualTo("55000");
      assertThat(failed).hasMessageContaining(late.path().toString());
    }
    fx().assertDocument(key, json);
    documents.edit(key, List.of());
    documents.edit(
        key,
        List.of(
            first,
            JsonEdit.remove("nothing"),
            JsonEdit.replaceIf("a[1]", 1, 7),
            JsonEdit.setIfAbsent("b", 1)));
    fx().assertDocument(
            key,
            json.replace("5", "6").replaceFirst("1, 1", "1, 7").replaceFirst("\\]", "], \"b\": 1"));
    JsonNode whole = documents.at(key, "").get().orElseThrow();
    JsonEdit next = new JsonEdit.Increment(DocumentPath.root(), BigDecimal.TEN);
    documents.edit(key, List.of(new JsonEdit.Conditional(set(""), whole), next));
    fx().assertDocument(key, "17");
  }

  @Test
  default void editsOfObjectsArraysAndNumbers_areMadeTogether() {
    Object key = fx().row("{\"o\": {\"a\": 1}, \"n\": 1, \"list\": [1, 2, 3]}");
    DocumentColumn documents = fx().documents();
    documents.edit(
        key,
        List.of(
            JsonEdit.setMembers("o", Map.of("b", 2)),
            JsonEdit.keepLast("list", 2),
            JsonEdit.removeIf("n", 1),
            JsonEdit.increment("o.a", new BigDecimal("0.5"))));
    fx().assertDocument(key, "{\"o\": {\"a\": 1.5, \"b\": 2}, \"list\": [2, 3]}");
    JsonEdit array = JsonEdit.setMembers("list", Map.of("b", 2));
    Expect.refused(InvalidPathException.class, () -> documents.edit(key, List.of(array)));
    JsonEdit nothing = JsonEdit.setMembers("none", Map.of("b", 2));
    Expect.refused(PathNotFoundException.class, () -> documents.edit(key, List.of(nothing)));
  }

  @Test
  default void setMembers_requiresAnObject_whateverTheMembersAre() {
    String json = "{\"n\": 1, \"list\": [1, 2, 3], \"o\": {}}";
    Object key = fx().row(json);
    Object none = fx().row();
    Object root = fx().row("[1, 2]");
    DocumentColumn documents = fx().documents();
    for (Map<String, Integer> members :
        List.of(Map.<String, Integer>of(), Map.of("1", 9), Map.of("1", 9, "b", 9))) {
      for (String path : List.of("n", "list")) {
        assertRefused(InvalidPathException.class, key, JsonEdit.setMembers(path, members));
      }
      for (String path : List.of("none", "none.x", "n.x", "list[7]")) {
        assertRefused(PathNotFoundException.class, key, JsonEdit.setMembers(path, members));
      }
      assertRefused(PathNotFoundException.class, none, JsonEdit.setMembers("", members));
      assertRefused(InvalidPathException.class, root, JsonEdit.setMembers("", members));
    }
    documents.edit(key, List.of(JsonEdit.setMembers("o", Map.of())));
    documents.edit(key, List.of(JsonEdit.setMembers("", Map.of())));
    fx().assertDocument(key, json);
    fx().assertDocument(root, "[1, 2]");
    documents.edit(key, List.of(JsonEdit.setMembers("o", Map.of("1", 9))));
    fx().assertDocument(key, json.replace("{}", "{\"1\": 9}"));
  }

  @Test
  default void appendOfNothing_requiresAnArray() {
    String json = "{\"n\": 1, \"list\": [1, 2, 3], \"o\": {}}";
    Object key = fx().row(json);
    for (String path : List.of("", "n", "o")) {
      assertRefused(InvalidPathException.class, key, JsonEdit.append(path));
    }
    for (String path : List.of("none", "none.x", "list[7]")) {
      assertRefused(PathNotFoundException.class, key, JsonEdit.append(path));
    }
    assertRefused(PathNotFoundException.class, fx().row(), JsonEdit.append(""));
    fx().documents().edit(key, List.of(JsonEdit.append("list")));
    fx().assertDocument(key, json);
  }

  private void assertRefused(
      Class<? extends PgToasterException> type, Object key, JsonEdit... edits) {
    assertThat(catchThrowable(() -> fx().documents().edit(key, List.of(edits))))
        .as("%s", edits[0])
        .isInstanceOf(type);
  }

  private static JsonEdit set(String path) {
    return JsonEdit.set(path, 7);
  }

  @Test
  default void everyEdit_ofARootThatIsNotAnObject_worksLikePlainJsonb() {
    PlainJsonb plain = plain();
    DocumentColumn documents = fx().documents();
    JsonNode value = Json.readTree(VALUES.get(1));
    ArrayNode elements = (ArrayNode) value;
    for (String root : DocumentReadContract.ROOTS) {
      String json = plain.canonical(root);
      Object key = fx().row(json);
      for (String text : List.of("[0]", "[-1]", "[1][1]", "[500]", "[7].a[1]", "a", "a[1]")) {
        DocumentPath path = DocumentPath.parse(text);
        assertSame(plain, documents, key, json, new JsonEdit.Set(path, value, true));
        assertSame(plain, documents, key, json, new JsonEdit.Set(path, value, false));
        assertSame(plain, documents, key, json, new JsonEdit.Set(path, value, true, true));
        assertSame(plain, documents, key, json, new JsonEdit.Insert(path, value, true));
        assertSame(plain, documents, key, json, new JsonEdit.Append(path, elements));
        assertSame(plain, documents, key, json, new JsonEdit.Remove(path));
        assertSame(plain, documents, key, json, new JsonEdit.KeepLast(path, 1));
        assertSame(plain, documents, key, json, new JsonEdit.Increment(path, BigDecimal.TEN));
      }
      DocumentPath whole = DocumentPath.root();
      assertSame(plain, documents, key, json, new JsonEdit.Append(whole, elements));
      assertSame(plain, documents, key, json, new JsonEdit.KeepLast(whole, 0));
      assertSame(plain, documents, key, json, new JsonEdit.KeepLast(whole, 7));
      assertSame(plain, documents, key, json, new JsonEdit.KeepLast(whole, 400));
      assertSame(plain, documents, key, json, new JsonEdit.Increment(whole, BigDecimal.TEN));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 700})
  default void appendKeepingLast_keepsAWindowOfTheArray(int elements) {
    Object key = fx().row("{\"before\": 1, \"list\": []}");
    DocumentValue list = fx().documents().at(key, "list");
    List<Object> window = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Object[] added = new Object[i % 7 == 0 ? 90 : i % 3];
      // A large element gets its own branch.
      Arrays.fill(added, i % 14 == 0 ? Documents.words(i, 3_000) : "element " + i);
      list.appendKeepingLast(elements, added);
      window.addAll(Arrays.asList(added));
      window = window.subList(Math.max(0, window.size() - elements), window.size());
    }
    fx().assertDocument(key, Json.toTree(Map.of("before", 1, "list", window)).toString());
    for (int i = 0; i < 90; i++) {
      Object added = "%d, and the rest of an element".formatted(i).repeat(1 + i % 5);
      list.appendKeepingLast(elements, added);
      window.add(added);
      window = window.subList(Math.max(0, window.size() - elements), window.size());
      if (i % 18 == 0) {
        fx().assertDocument(key, Json.toTree(Map.of("before", 1, "list", window)).toString());
      }
    }
    fx().assertDocument(key, Json.toTree(Map.of("before", 1, "list", window)).toString());
    assertThat(fx().own().verify(key)).isEmpty();
    Expect.refused(InvalidOffsetException.class, () -> list.keepLast(-1));
    Expect.refused(InvalidOffsetException.class, () -> list.appendKeepingLast(-1, "x"));
    Expect.refused(
        InvalidPathException.class, () -> fx().documents().at(key, "before").keepLast(1));
    Expect.refused(
        PathNotFoundException.class, () -> fx().documents().at(key, "after").keepLast(1));
  }

  @Test
  default void set_ofTheRoot_replacesTheDocument() {
    Object key = fx().row(Documents.big(20));
    fx().documents().at(key, "").set(Map.of("a", 1));
    fx().assertDocument(key, "{\"a\": 1}");
    fx().documents().at(key, DocumentPath.root()).set(List.of(1, 2));
    fx().assertDocument(key, "[1, 2]");
    fx().documents().at(key, "").set("a string");
    fx().assertDocument(key, "\"a string\"");
  }

  @Test
  default void append_addsElementsInOrder() {
    Object key = fx().row("{\"log\": [], \"one\": [1]}");
    DocumentColumn documents = fx().documents();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      documents.at(key, "log").append("entry " + i, i);
      expected.append(i == 0 ? "" : ", ").append("\"entry %d\", %d".formatted(i, i));
    }
    documents.at(key, "log").append();
    documents.at(key, "one").append(2, null);
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "missing").append(2));
    fx().assertDocument(key, "{\"log\": [" + expected + "], \"one\": [1, 2, null]}");
    assertThat(documents.at(key, "log").size()).hasValue(600);
  }

  @Test
  default void inserts_atTheFront_keepTheOrder() {
    Object key = fx().row("{\"log\": []}");
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      fx().own().at(key, "log[0]").insert("entry number " + i);
      expected.insert(0, "\"entry number %d\"%s".formatted(i, i == 0 ? "" : ", "));
    }
    fx().assertDocument(key, "{\"log\": [" + expected + "]}");
    for (int i = 199; i > 0; i--) {
      assertThat(fx().own().at(key, i % 2 == 0 ? "log[0]" : "log[-1]").remove()).isTrue();
    }
    assertThat(fx().own().at(key, "log").size()).hasValue(1);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void members_areAddedAndRemoved() {
    Object key = fx().row("{}");
    for (int i = 0; i < 200; i++) {
      fx().own().at(key, DocumentPath.of("member " + i)).set(Documents.words(i, 60));
    }
    assertThat(fx().own().at(key, "").size()).hasValue(200);
    for (int i = 0; i < 200; i++) {
      assertThat(fx().own().at(key, DocumentPath.of("member " + i)).get(String.class))
          .contains(Documents.words(i, 60));
    }
    for (int i = 0; i < 200; i++) {
      assertThat(fx().own().at(key, DocumentPath.of("member " + (i * 7) % 200)).remove()).isTrue();
    }
    fx().assertDocument(key, "{}");
  }

  @Test
  default void increment_isExact() {
    Object key = fx().row("{\"n\": 1.10, \"big\": 123456789012345678901234567890}");
    DocumentColumn documents = fx().documents();
    assertThat(documents.at(key, "n").increment(new BigDecimal("0.2")))
        .isEqualTo(new BigDecimal("1.30"));
    assertThat(documents.at(key, "n").increment(-1)).isEqualTo(new BigDecimal("0.30"));
    assertThat(documents.at(key, "big").increment(1))
        .isEqualTo(new BigDecimal("123456789012345678901234567891"));
    assertThat(documents.at(key, "fresh").increment(new BigDecimal("1E+3")))
        .isEqualTo(new BigDecimal("1000"));
    Expect.refused(
        PathNotFoundException.class, () -> documents.at(key, "missing.fresh").increment(1));
    fx().assertDocument(
            key, "{\"n\": 0.30, \"big\": 123456789012345678901234567891, \"fresh\": 1000}");
  }

  @Test
  default void edits_ofNull_changeNothing() {
    Object key = fx().row();
    DocumentColumn documents = fx().documents();
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "a").set(1));
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "a").insert(1));
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "[0]").insertAfter(1));
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "").append(1));
    assertThat(documents.at(key, "a").remove()).isFalse();
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "a").increment(1));
    assertThat(documents.load(key)).isEmpty();
  }

  record Point(BigDecimal x, BigDecimal y, String label) {}

  @Test
  default void values_ofAllClasses_areStoredExactly() {
    Object key = fx().row("{}");
    DocumentColumn documents = fx().documents();
    Point point = new Point(new BigDecimal("1.500"), new BigDecimal("-0.00"), "a \"point\"");
    documents.at(key, "point").set(point);
    documents.at(key, "text").set("[1]");
    documents.at(key, "list").set(List.of(1, true, "x"));
    documents.at(key, "nothing").set(null);
    fx().assertDocument(
            key,
            "{\"point\": {\"x\": 1.500, \"y\": -0.00, \"label\": \"a \\\"point\\\"\"}, \"text\":"
                + " \"[1]\", \"list\": [1, true, \"x\"], \"nothing\": null}");
    assertThat(documents.at(key, "point").get(Point.class)).contains(point);
  }
}
