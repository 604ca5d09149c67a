package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.SetOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls on documents whose root is not an object behave as documented. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("places")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScalarRootIT {
  private static final String LONG = "\"" + "x".repeat(20_000) + "\"";
  private static final List<String> SCALARS =
      List.of("5", "true", "null", "\"s\"", LONG, "9".repeat(20_000));
  private static final SetOptions CREATE = SetOptions.defaults().withCreateParents(true);

  @Parameter(0)
  Setting setting;

  @Parameter(1)
  ColumnSpec spec;

  private DocumentFixture fx;

  static Stream<Arguments> places() {
    return Setting.newestByBoth().stream()
        .flatMap(
            setting ->
                Stream.of(DocumentSpec.keyed("{}"), DocumentSpec.attachedStock())
                    .map(spec -> Arguments.of(setting, spec)));
  }

  @BeforeEach
  void open() {
    if (fx == null) {
      fx = new DocumentFixture(setting, spec);
    }
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    fx.afterTest();
  }

  /**
   * Runs after each invocation, not at the end, because JUnit keeps one instance for all of them.
   */
  @AfterParameterizedClassInvocation
  void close() {
    fx.close();
    fx = null;
  }

  @Test
  void readsOfAScalar_returnIt_andNothingBelowIt() {
    DocumentColumn documents = fx.documents();
    for (String root : SCALARS) {
      Object key = fx.row(root);
      assertThat(documents.load(key)).contains(Json.readTree(root));
      assertThat(documents.load(key, Object.class).isPresent()).isEqualTo(!root.equals("null"));
      assertThat(documents.at(key, "").exists()).isTrue();
      assertThat(documents.at(key, "").size()).isEmpty();
      assertThat(documents.at(key, "").keys()).isEmpty();
      assertThat(documents.at(key, "").keys("a", 5)).isEmpty();
      assertThat(documents.at(key, "").slice(0, 5)).isEmpty();
      for (String path : List.of("a", "a.b", "[0]")) {
        assertThat(documents.at(key, path).get()).isEmpty();
        assertThat(documents.at(key, path).exists()).isFalse();
        assertThat(documents.at(key, path).stream()).isEmpty();
        assertThat(documents.textAll(List.of(key), path)).isEmpty();
      }
      assertThat(documents.verify(key)).isEmpty();
      assertThat(documents.compact(key)).isZero();
      fx.assertDocument(key, root);
    }
  }

  @Test
  void changesBelowAScalar_areRefused() {
    Map<String, BiConsumer<DocumentColumn, Object>> calls = new HashMap<>();
    for (String path : List.of("a", "a.b", "[0]")) {
      calls.put("set " + path, (d, key) -> d.at(key, path).set(7));
      calls.put("set with parents " + path, (d, key) -> d.at(key, path).set(7, CREATE));
      calls.put("set if absent " + path, (d, key) -> d.at(key, path).setIfAbsent(7));
      calls.put("insert " + path, (d, key) -> d.at(key, path).insert(7));
      calls.put("insert after " + path, (d, key) -> d.at(key, path).insertAfter(7));
      calls.put("remove " + path, (d, key) -> d.at(key, path).remove());
    }
    calls.put("insert", (d, key) -> d.at(key, "").insert(7));
    calls.put("insert after", (d, key) -> d.at(key, "").insertAfter(7));
    calls.put("remove", (d, key) -> d.at(key, "").remove());
    calls.put("remove if", (d, key) -> d.at(key, "").removeIf(7));
    for (String root : SCALARS) {
      Object key = fx.row(root);
      calls.forEach(
          (name, call) ->
              assertThat(
                      Expect.refused(
                          InvalidPathException.class, () -> call.accept(fx.documents(), key)))
                  .as(name)
                  .isNotNull());
      Expect.refused(
          PatchFailedException.class,
          () ->
              fx.documents().patchJson(key, "[{\"op\": \"add\", \"path\": \"/a\", \"value\": 1}]"));
      fx.assertDocument(key, root);
    }
  }

  @Test
  void conditionalEdits_findNothingBelowAScalar() {
    for (String root : SCALARS) {
      Object key = fx.row(root);
      DocumentColumn documents = fx.documents();
      for (String path : List.of("a", "a.b", "[0]")) {
        Expect.refused(PathNotFoundException.class, () -> documents.at(key, path).append(7));
        Expect.refused(PathNotFoundException.class, () -> documents.at(key, path).increment(7));
        assertThat(documents.at(key, path).replaceIf(1, 7)).isFalse();
        assertThat(documents.at(key, path).removeIf(1)).isFalse();
      }
      assertThat(documents.at(key, "").setIfAbsent(7)).isFalse();
      assertThat(documents.at(key, "").replaceIf("another", 7)).isFalse();
      fx.assertDocument(key, root);
    }
  }

  @Test
  void changesOfTheRoot_acceptAScalar() {
    Map<BiConsumer<DocumentColumn, Object>, String> calls = new HashMap<>();
    calls.put((d, key) -> d.at(key, "").set(7), "7");
    calls.put((d, key) -> d.at(key, "").replaceIf(d.load(key).orElseThrow(), 7), "7");
    calls.put((d, key) -> d.mergeJson(key, "{\"a\": 1, \"b\": null}"), "{\"a\": 1}");
    calls.put((d, key) -> d.mergeJson(key, "{}"), "{}");
    calls.put((d, key) -> d.mergeJson(key, "[1, null]"), "[1, null]");
    for (String root : SCALARS) {
      calls.forEach(
          (call, after) -> {
            Object key = fx.row(root);
            call.accept(fx.documents(), key);
            fx.assertDocument(key, after);
          });
    }
    Object number = fx.row("5");
    fx.documents().at(number, "").increment(2);
    fx.assertDocument(number, "7");
    Object text = fx.row("\"5\"");
    Expect.refused(InvalidPathException.class, () -> fx.documents().at(text, "").increment(2));
    fx.documents().patchJson(number, "[{\"op\": \"remove\", \"path\": \"\"}]");
    fx.assertDocument(number, null);
  }

  @Test
  void rootContainer_cannotBeInsertedOrRemoved_andArraysNeedPositions() {
    for (String root : List.of("[1, [2]]", "[" + LONG + ", 1]")) {
      Object key = fx.row(root);
      DocumentColumn documents = fx.documents();
      Expect.refused(InvalidPathException.class, () -> documents.at(key, "").insert(7));
      Expect.refused(InvalidPathException.class, () -> documents.at(key, "").insertAfter(7));
      Expect.refused(InvalidPathException.class, () -> documents.at(key, "").remove());
      Expect.refused(InvalidPathException.class, () -> documents.at(key, "").removeIf(7));
      for (String path : List.of("a", "a.b")) {
        Expect.refused(InvalidPathException.class, () -> documents.at(key, path).set(7));
        Expect.refused(InvalidPathException.class, () -> documents.at(key, path).set(7, CREATE));
        Expect.refused(InvalidPathException.class, () -> documents.at(key, path).setIfAbsent(7));
        Expect.refused(InvalidPathException.class, () -> documents.at(key, path).insert(7));
        Expect.refused(InvalidPathException.class, () -> documents.at(key, path).remove());
        Expect.refused(PathNotFoundException.class, () -> documents.at(key, path).increment(7));
      }
      fx.assertDocument(key, root);
    }
  }

  @Test
  void nullColumn_getsADocumentOnlyFromCallsOnTheRoot() {
    DocumentColumn documents = fx.documents();
    Object key = fx.row();
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "a").setIfAbsent(7));
    assertThat(documents.at(key, "").setIfAbsent(7)).isTrue();
    fx.assertDocument(key, "7");
    Object patched = fx.row();
    documents.patchJson(patched, "[{\"op\": \"add\", \"path\": \"\", \"value\": [1]}]");
    fx.assertDocument(patched, "[1]");
    Object merged = fx.row();
    documents.mergeJson(merged, "{\"a\": 1}");
    fx.assertDocument(merged, "{\"a\": 1}");
    assertThat(documents.load(fx.row())).isEqualTo(Optional.empty());
  }

  @Test
  void statOfARoot_countsOnlyMembersInTheRow() {
    assertThat(fx.documents().stat(fx.row("[1, 2, 3]")).orElseThrow().inlineMembers()).isZero();
    assertThat(fx.documents().stat(fx.row(LONG)).orElseThrow().splitMembers()).isZero();
    StringBuilder many = new StringBuilder("{\"k\": 1");
    for (int i = 0; i < 1000; i++) {
      many.append(", \"k").append(i).append("\": ").append(i);
    }
    Object key = fx.row(many.append('}').toString());
    assertThat(fx.documents().at(key, "").size()).hasValue(1001);
    long inline = fx.documents().stat(key).orElseThrow().inlineMembers();
    assertThat(inline == 1001).isEqualTo(!spec.hasStore());
    assertThat(fx.documents().stat(key).orElseThrow().splitMembers()).isZero();
  }
}
