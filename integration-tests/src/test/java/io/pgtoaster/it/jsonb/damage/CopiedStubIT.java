package io.pgtoaster.it.jsonb.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.it.jsonb.locking.InterleavingSuite;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Stubs of other rows, and markers written by hand while triggers were off. */
class CopiedStubIT extends InterleavingSuite {
  private static final String DOCUMENT = document(0);

  /** Returns a document whose markers are all in the row. */
  private static String document(int from) {
    String list =
        IntStream.range(from, from + 60)
            .mapToObj(i -> "{\"no\": %d, \"t\": \"%s\"}".formatted(i, Documents.words(i, 60)))
            .collect(Collectors.joining(", "));
    String map =
        IntStream.range(from, from + 60)
            .mapToObj(i -> "\"k%d\": \"%s\"".formatted(i, Documents.words(i, 90)))
            .collect(Collectors.joining(", "));
    return "{\"n\": 1, \"list\": [%s], \"map\": {%s}}".formatted(list, map);
  }

  private Map<String, ThrowingCallable> calls(Object key) {
    DocumentColumn d = fx().own();
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("text", () -> d.text(key));
    calls.put("load", () -> d.load(key));
    calls.put("get", () -> d.at(key, "list[2]").text());
    calls.put("slice", () -> d.at(key, "list").slice(1, 4));
    calls.put("size", () -> d.at(key, "list").size());
    calls.put("size of the root", () -> d.at(key, "").size());
    calls.put("keys", () -> d.at(key, "map").keys());
    calls.put(
        "stream",
        () -> {
          try (InputStream in = d.stream(key).orElseThrow()) {
            in.readAllBytes();
          }
        });
    calls.put("set", () -> d.at(key, "list[2].t").set(1));
    calls.put("set of an object", () -> d.at(key, "list[2]").set(Map.of("a", 1)));
    calls.put("set in the row", () -> d.at(key, "n").set(2));
    calls.put("set of an object in the row", () -> d.at(key, "n").set(List.of(1)));
    calls.put("increment", () -> d.at(key, "list[2].no").increment(1));
    calls.put("increment in the row", () -> d.at(key, "n").increment(1));
    calls.put("insert", () -> d.at(key, "list[0]").insert(1));
    calls.put("append", () -> d.at(key, "list").append(1));
    calls.put("remove", () -> d.at(key, "list[2]").remove());
    calls.put("remove of a branch", () -> d.at(key, "list").remove());
    calls.put("merge", () -> d.mergeJson(key, "{\"list\": 1}"));
    calls.put("compact", () -> d.compact(key));
    return calls;
  }

  private void assertRefused(Object key) {
    assertRefused(key, 0, 1);
  }

  /** Runs every n-th call, starting with the given one. */
  private void assertRefused(Object key, int first, int step) {
    String stored = stored(key);
    List<Map.Entry<String, ThrowingCallable>> calls = List.copyOf(calls(key).entrySet());
    for (int i = first; i < calls.size(); i += step) {
      refused(calls.get(i).getKey(), calls.get(i).getValue());
    }
    assertThat(fx().own().verify(key)).isNotEmpty();
    assertThat(stored(key)).isEqualTo(stored);
  }

  private static void refused(String name, ThrowingCallable call) {
    try {
      Expect.failed(DocumentCorruptException.class, call);
    } catch (AssertionError e) {
      throw new AssertionError(name + ": " + e.getMessage(), e);
    }
  }

  private String stored(Object key) {
    return fx().string("SELECT CAST(doc AS text) FROM item" + fx().where(key));
  }

  private Object copy(Object original) {
    Object key = fx().row();
    fx().runWithoutTriggers(
            "UPDATE item SET doc = (SELECT doc FROM item%s)%s"
                .formatted(fx().where(original), fx().where(key)));
    return key;
  }

  @Test
  void copiedStub_isRefusedByAllCalls() {
    Object original = fx().row(DOCUMENT);
    Object updated = copy(original);
    assertRefused(updated);
    Object inserted = fx().unknownKey();
    fx().runWithoutTriggers(
            "INSERT INTO item (id, doc) SELECT %s, doc FROM item%s"
                .formatted(inserted, fx().where(original)));
    assertRefused(inserted);
    fx().own().clear(updated);
    assertThat(fx().own().text(updated)).isEmpty();
    fx().run("DELETE FROM item" + fx().where(inserted));
    fx().assertDocument(original, DOCUMENT);
  }

  @Test
  void copiedStubOverAnotherDocument_isRepairedByAPut() {
    Object original = fx().row(DOCUMENT);
    Object other = fx().row(document(3));
    fx().run("UPDATE item SET doc = NULL" + fx().where(other));
    fx().runWithoutTriggers(
            "UPDATE item SET doc = (SELECT doc FROM item%s)%s"
                .formatted(fx().where(original), fx().where(other)));
    assertThat(
            fx().number(
                    "SELECT count(*) FROM %s WHERE owner_1 = %s"
                        .formatted(fx().table("head"), other)))
        .isZero();
    assertRefused(other);
    fx().own().putJson(other, document(4));
    fx().assertDocument(other, document(4));
    fx().own().at(original, "list[2].t").set("still here");
    fx().own().at(original, "list[2].t").set(fx().own().at(other, "list[0]").text().orElseThrow());
    fx().own().putJson(original, DOCUMENT);
    fx().assertDocument(original, DOCUMENT);
  }

  @Test
  void copiedStubWhoseOriginalIsDeleted_becomesTheOwner() {
    Object original = fx().row(DOCUMENT);
    Object copy = copy(original);
    fx().run("DELETE FROM item" + fx().where(original));
    assertRefused(copy);
    fx().own().putJson(copy, DOCUMENT);
    fx().assertDocument(copy, DOCUMENT);
  }

  @Test
  void forgedHeaders_areRefused() {
    Object original = fx().row(DOCUMENT);
    int number = 0;
    for (String header :
        List.of(
            "[1]",
            "[999999999999999999999]",
            "[-1, 5]",
            "[\"x\"]",
            "{}",
            "null",
            "7",
            "[]",
            "[1.5]")) {
      Object key = fx().row();
      fx().runWithoutTriggers(
              "UPDATE item SET doc = jsonb_set((SELECT doc FROM item%s), '{$pgtoaster}', '%s')%s"
                  .formatted(fx().where(original), header, fx().where(key)));
      // Headers are read in one place, so each header needs only a third of the calls.
      int first = number++ % 3;
      assertThat(header).satisfies(h -> assertRefused(key, first, 3));
      fx().own().putJson(key, DOCUMENT);
      fx().assertDocument(key, DOCUMENT);
    }
    fx().assertDocument(original, DOCUMENT);
  }

  @Test
  void forgedMarkers_areRefused_andRepairedByAPut() {
    for (String marker :
        List.of("17", "\"x\"", "null", "[1]", "-4", "999999999999999999999", "1.5")) {
      Object key = fx().row(DOCUMENT);
      fx().runWithoutTriggers(
              "UPDATE item SET doc = doc || '{\"list\": {\"$pgtoaster\": %s}}'%s"
                  .formatted(marker, fx().where(key)));
      DocumentColumn d = fx().own();
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> d.text(key),
              () -> d.at(key, "list[2]").text(),
              () -> d.at(key, "list").text(),
              () -> d.at(key, "list").slice(1, 4),
              () -> d.at(key, "list").size(),
              () -> d.at(key, "list[2].t").set(1),
              () -> d.at(key, "list").append(1),
              () -> d.at(key, "list[2]").remove())) {
        refused(marker, call);
      }
      assertThat(d.verify(key)).isNotEmpty();
      d.putJson(key, DOCUMENT);
      fx().assertDocument(key, DOCUMENT);
    }
  }

  @Test
  void secondMarkerOfABranch_isFoundByVerify_andRepairedByAPut() {
    Object key = fx().row(DOCUMENT);
    fx().runWithoutTriggers(
            "UPDATE item SET doc = doc || jsonb_build_object('z', doc->'list', 'text', 1)"
                + fx().where(key));
    assertThat(fx().own().verify(key)).isNotEmpty();
    fx().own().putJson(key, DOCUMENT);
    fx().assertDocument(key, DOCUMENT);
  }
}
