package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Unusual and invalid documents. */
interface EdgeCaseDocumentContract extends DocumentContract {
  /** A member that never fits in the row, so that a document with it always splits. */
  String FILLER = "\"filler\": [\"" + Documents.words(9, 3000) + "\", 1, 2]";

  List<String> ODD =
      List.of(
          "{\"a\": 1, \"b\": 2, \"a\": {\"c\": 1, \"c\": [2]}}",
          "{\"n\": [1.0, 1.00, -0, -0.0, 0.000, 1e2, 1.5E+3, 1e-5, 12E-1]}",
          "{\"n\": " + "9".repeat(3000) + "." + "0".repeat(500) + "}",
          "{\"n\": 1e-1000, \"m\": 1e1000}",
          "{\"s\": \"\\ud83d\\ude00 😀 \\u00e9 é \\u2028\"}",
          "{\"s\": \"\\b\\f\\n\\r\\t\\\"\\\\\\/\\u0001\\u001f\\u007f\"}",
          "{\"\": 1, \" \": 2, \"a.b\": 3, \"a[0]\": 4, \"/\": 5, \"~\": 6, \"\\\"\": 7, \"\\n\": 8}",
          "{\"$pgtoaster\": 1}",
          "{\"$pgtoaster\": [1]}",
          "{\"$pgtoaster\": [1, 2], \"a\": 1}",
          "{\"$$pgtoaster\": {\"$pgtoaster\": 5}}",
          "{\"a\": {\"$pgtoaster\": 5}, \"b\": [{\"$pgtoaster\": 6}, {\"$$$pgtoaster\": 7}]}",
          "[{\"$pgtoaster\": [7]}, {\"$pgtoaster\": 8}]",
          "{\"pgtoaster\": 1, \"$pgtoaster2\": 2, \"x$pgtoaster\": 3, \"$\": 4, \"$$\": 5}",
          "{\"a\\\"$pgtoaster\": 1, \"a\\\"$$pgtoaster\": 2, \"\\\\$pgtoaster\": 3, \"\\\\\\\"$pgtoaster\": 4}",
          "{\"s\": \"\\\"$pgtoaster\\\": 1\", \"t\": \"{\\\"$pgtoaster\\\": 2}\"}",
          "{\"k\": \"\\\\u0000\"}",
          "{\"" + "k".repeat(2000) + "1\": 1, \"" + "k".repeat(2000) + "2\": 2}");

  private static String split(String json) {
    return json.startsWith("[")
        ? "[{" + FILLER + "}, " + json.substring(1)
        : "{" + FILLER + ", " + json.substring(1);
  }

  @Test
  default void unusualDocuments_areReadBackExactly() {
    Object key = fx().row();
    for (String json : ODD) {
      for (String whole : List.of(json, split(json), "{\"in\": [" + split(json) + "]}")) {
        fx().documents().putJson(key, whole);
        fx().assertDocument(key, whole);
        fx().documents().compact(key);
        fx().assertDocument(key, whole);
      }
    }
  }

  @Test
  default void unusualValues_areSetAndReadByPath() {
    Object key = fx().row("{" + FILLER + ", \"list\": []}");
    for (String json : ODD) {
      DocumentPath path = DocumentPath.of("value");
      fx().documents().at(key, path).set(Json.readTree(json));
      assertThat(fx().documents().at(key, path).text().map(Documents::canonical))
          .contains(fx().canonical(json));
      fx().documents().at(key, "list").append(Json.readTree(json));
      assertThat(fx().documents().at(key, "list[-1]").text().map(Documents::canonical))
          .contains(fx().canonical(json));
    }
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void keysLikeMarkers_areOrdinaryKeys() {
    for (String start : List.of("{}", "{" + FILLER + "}")) {
      Object key = fx().row(start);
      DocumentColumn documents = fx().documents();
      for (String name : List.of("$pgtoaster", "$$pgtoaster", "$$$pgtoaster")) {
        DocumentPath path = DocumentPath.of(name);
        assertThat(documents.at(key, path).exists()).isFalse();
        documents.at(key, path).set(5);
        documents.at(key, path).increment(2);
        documents.at(key, path).set(Map.of(name, 6));
        documents.at(key, path.key(name)).increment(2);
        assertThat(documents.at(key, path).text()).contains("{\"" + name + "\": 8}");
        assertThat(documents.at(key, path).keys()).contains(List.of(name));
        assertThat(documents.at(key, "").keys().orElseThrow()).contains(name);
        documents.at(key, path.key("more")).set(Documents.words(4, 3000));
        assertThat(documents.at(key, path.key(name)).get(Integer.class)).contains(8);
      }
      documents.merge(key, Map.of("$pgtoaster", 1));
      assertThat(documents.at(key, DocumentPath.of("$pgtoaster")).text()).contains("1");
      for (String name : List.of("$pgtoaster", "$$pgtoaster", "$$$pgtoaster")) {
        assertThat(documents.at(key, DocumentPath.of(name)).remove()).isTrue();
      }
      fx().assertDocument(key, start);
    }
  }

  @Test
  default void unusualKeys_areFoundByPath() {
    Object key = fx().row(split(ODD.get(6)));
    List<String> names = List.of("", " ", "a.b", "a[0]", "/", "~", "\"", "\n");
    for (int i = 0; i < names.size(); i++) {
      assertThat(fx().documents().at(key, DocumentPath.of(names.get(i))).get(Integer.class))
          .contains(i + 1);
    }
  }

  @Test
  default void deepNesting_isKept() {
    int depth = 1500;
    String arrays = "[".repeat(depth) + "1" + "]".repeat(depth);
    String objects = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
    Object key = fx().row();
    for (String json : List.of(arrays, objects, "{\"d\": " + objects + "}")) {
      fx().documents().putJson(key, json);
      fx().assertDocument(key, json);
    }
    DocumentPath path = new DocumentPath(Collections.nCopies(200, "0"));
    fx().documents().putJson(key, arrays);
    assertThat(fx().documents().at(key, path).exists()).isTrue();
    fx().documents().at(key, path).set(7);
    assertThat(fx().documents().at(key, path).text()).contains("7");
  }

  @Test
  default void valuesThatJsonbCannotStore_areRefused_andTheDocumentIsKept() {
    String before = "{\"a\": 1, " + FILLER + "}";
    Object key = fx().row(before);
    DocumentColumn documents = fx().documents();
    for (String wrong :
        List.of(
            "\"\\u0000\"",
            "\"a\\u0000b\"",
            "\"\\ud83d\"",
            "\"\\ude00\\ud83d\"",
            "{\"\\u0000\": 1}",
            "{\"\\ud83d\": 1}",
            "[[[\"\\udc00\"]]]",
            "1e200000",
            "1e-20000")) {
      for (String json :
          List.of(
              wrong,
              "{\"x\": " + wrong + "}",
              "[" + Documents.big(60) + ", " + wrong + "]",
              "{" + FILLER + ", \"x\": [" + wrong + "]}")) {
        Expect.refused(InvalidJsonException.class, () -> documents.putJson(key, json));
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        Expect.refused(
            InvalidJsonException.class,
            () -> documents.putJson(key, new ByteArrayInputStream(bytes)));
        Expect.refused(
            InvalidJsonException.class,
            () -> documents.mergeJson(key, "{\"a\": 2, \"m\": " + json + "}"));
      }
    }
    for (Object value :
        List.of("\0", "a\uD83D", Map.of("\uDE00", 1), List.of("\0"), Double.NaN, 1 / 0.0)) {
      Expect.refused(InvalidJsonException.class, () -> documents.at(key, "a").set(value));
      Expect.refused(InvalidJsonException.class, () -> documents.at(key, "filler").append(value));
      Expect.refused(InvalidJsonException.class, () -> documents.at(key, "b").insert(value));
      Expect.refused(InvalidJsonException.class, () -> documents.put(key, Map.of("k", value)));
    }
    fx().assertDocument(key, before);
  }

  @Test
  default void pathsWithImpossibleKeys_areRefused() {
    Object key = fx().row("{\"a\": 1}");
    for (String step : List.of("\0", "a\0", "\uD83D")) {
      DocumentPath path = DocumentPath.root().key("a");
      Expect.refused(
          InvalidPathException.class, () -> fx().documents().at(key, path.key(step)).get());
      Expect.refused(
          InvalidPathException.class, () -> fx().documents().at(key, path.key(step)).set(1));
    }
    fx().assertDocument(key, "{\"a\": 1}");
  }
}
