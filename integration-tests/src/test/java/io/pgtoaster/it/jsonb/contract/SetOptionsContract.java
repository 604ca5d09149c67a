package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.ConditionFailedException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.SetOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Options of {@code set} for missing parents and null. */
interface SetOptionsContract extends DocumentContract {
  SetOptions CREATE = SetOptions.defaults().withCreateParents(true);

  @Test
  default void missingParents_areCreated() {
    Object key = fx().row("{\"a\": {}, \"list\": [1], \"n\": 5}");
    DocumentColumn documents = fx().documents();
    documents.at(key, "a.b.c").set(1, CREATE);
    documents.at(key, "x.y[0].z").set("made", CREATE);
    documents.at(key, "list[7].k").set(true, CREATE);
    documents.at(key, "a.b.d").set(2, CREATE);
    documents.at(key, "at.1732800000.k").set(3, CREATE);
    documents.at(key, "zeros.007.k").set(4, CREATE);
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "n.x").set(2, CREATE));
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "n.x.y").set(2, CREATE));
    fx().assertDocument(
            key,
            "{\"a\": {\"b\": {\"c\": 1, \"d\": 2}}, \"list\": [1, {\"k\": true}], \"n\": 5, \"x\":"
                + " {\"y\": [{\"z\": \"made\"}]}, \"at\": {\"1732800000\": {\"k\": 3}}, \"zeros\":"
                + " {\"007\": {\"k\": 4}}}");
  }

  @Test
  default void missingParents_ofALargeDocument_areCreated() {
    String big = Documents.big(60);
    Object key = fx().row(big);
    fx().documents().at(key, "items[59].more.of[0].it").set(1, CREATE);
    assertThat(fx().documents().at(key, "items[59].more").get().orElseThrow().toString())
        .isEqualTo("{\"of\":[{\"it\":1}]}");
    assertThat(fx().documents().at(key, "items[59].more").remove()).isTrue();
    fx().assertDocument(key, big);
  }

  @Test
  default void missingParents_ofANullColumn_areCreated() {
    Object key = fx().row();
    fx().documents().at(key, "a[0].b").set(1, CREATE);
    fx().assertDocument(key, "{\"a\": [{\"b\": 1}]}");
    Object array = fx().row();
    fx().documents().at(array, "[0]").set(1, CREATE);
    fx().assertDocument(array, "[1]");
    Object whole = fx().row();
    fx().documents().at(whole, "").set(1, CREATE);
    fx().assertDocument(whole, "1");
  }

  @Test
  default void missingParents_areCreatedInBatches_andUnderConditions() {
    JsonNode one = Json.toTree(1);
    JsonEdit first = new JsonEdit.Set(DocumentPath.parse("a[0].b"), one, true, true);
    JsonEdit second = new JsonEdit.Set(DocumentPath.parse("a[0].c.d"), one, false, true);
    DocumentColumn documents = fx().documents();
    Object batch = fx().row();
    documents.edit(batch, List.of(first, new JsonEdit.Conditional(second, null)));
    fx().assertDocument(batch, "{\"a\": [{\"b\": 1, \"c\": {\"d\": 1}}]}");
    Object empty = fx().row();
    Expect.refused(
        ConditionFailedException.class,
        () -> documents.edit(empty, List.of(new JsonEdit.Conditional(first, one))));
    assertThat(documents.at(empty, "").exists()).isFalse();
    documents.edit(empty, List.of(new JsonEdit.Conditional(first, null)));
    fx().assertDocument(empty, "{\"a\": [{\"b\": 1}]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "items[30].a.b", "items[99].a.b"})
  default void missingParents_createdConcurrently_keepAllValues(String parent) throws Exception {
    Object key = fx().row(parent.startsWith("a") ? "{}" : Documents.big(60));
    Wait.inThreads(
        8,
        i -> {
          DocumentColumn documents = fx().documents();
          String path = parent + ".c" + i;
          documents.at(key, path).set(1, CREATE);
        });
    if (parent.contains("99")) {
      assertThat(fx().own().at(key, "items").size()).hasValue(68);
    } else {
      assertThat(fx().own().at(key, parent).size()).hasValue(8);
    }
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void missingParents_areReported() {
    Object key = fx().row("{\"a\": {}, \"n\": 5}");
    DocumentColumn documents = fx().documents();
    Map<String, String> messages =
        Map.of(
            "x.y", "there is no \"x\"; the deepest part of the path that exists is the document",
            "a.b.c", "there is no \"a.b\"; the deepest part of the path that exists is \"a\"",
            "n.x", "there is no \"n.x\", because \"n\" is of type number",
            "n.x.y", "there is no \"n.x\", because \"n\" is of type number");
    messages.forEach(
        (path, message) -> {
          for (Runnable call :
              List.<Runnable>of(
                  () -> documents.at(key, path).set(1),
                  () -> documents.at(key, path).setJson("1"),
                  () -> documents.at(key, path).setIfAbsent(1),
                  () -> documents.at(key, path).insert(1),
                  () -> documents.at(key, path).insertAfter(1),
                  () -> documents.at(key, path).append(1),
                  () -> documents.at(key, path + ".n").increment(1))) {
            PathNotFoundException e = Expect.refused(PathNotFoundException.class, call::run);
            assertThat(e.getMessage()).contains("item.doc", "key", path, message);
          }
        });
    SetOptions existing = SetOptions.defaults().withCreateMissing(false);
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "a.b").set(1, existing));
    documents.at(key, "a.b").set(1);
    fx().assertDocument(key, "{\"a\": {\"b\": 1}, \"n\": 5}");
    Object empty = fx().row();
    PathNotFoundException e =
        Expect.refused(PathNotFoundException.class, () -> documents.at(empty, "a").set(1));
    assertThat(e.getMessage()).contains("the column is NULL", "withCreateParents(true)");
  }

  @Test
  default void append_toANonArray_isRefused() {
    Object key = fx().row("{\"n\": 5, \"o\": {\"a\": 1}, \"list\": [1]}");
    DocumentColumn documents = fx().documents();
    for (String path : List.of("n", "o", "o.a", "")) {
      InvalidPathException e =
          Expect.refused(InvalidPathException.class, () -> documents.at(key, path).append(2));
      assertThat(e.getMessage()).contains("only an array can be appended to");
      Expect.refused(InvalidPathException.class, () -> documents.at(key, path).append());
    }
    documents.at(key, "list").append();
    documents.at(key, "list").append(2, List.of(3));
    fx().assertDocument(key, "{\"n\": 5, \"o\": {\"a\": 1}, \"list\": [1, 2, [3]]}");
  }

  @Test
  default void javaNull_isHandledAsRequested() {
    Object key = fx().row("{\"a\": 1, \"b\": 2}");
    DocumentColumn documents = fx().documents();
    SetOptions options = SetOptions.defaults();
    documents
        .at(key, "a")
        .set(null, options.withNullTreatment(SetOptions.NullTreatment.RETURN_TARGET));
    Expect.refused(
        InvalidJsonException.class,
        () ->
            documents
                .at(key, "a")
                .set(null, options.withNullTreatment(SetOptions.NullTreatment.RAISE_EXCEPTION)));
    fx().assertDocument(key, "{\"a\": 1, \"b\": 2}");
    documents
        .at(key, "a")
        .set(null, options.withNullTreatment(SetOptions.NullTreatment.USE_JSON_NULL));
    fx().assertDocument(key, "{\"a\": null, \"b\": 2}");
    SetOptions delete = options.withNullTreatment(SetOptions.NullTreatment.DELETE_KEY);
    documents.at(key, "a").set(null, delete);
    documents.at(key, "a").set(null, delete);
    assertThat(documents.at(key, "a").exists()).isFalse();
    documents.at(key, "a").set(3, delete);
    fx().assertDocument(key, "{\"a\": 3, \"b\": 2}");
    Expect.refused(InvalidPathException.class, () -> documents.at(key, "").set(null, delete));
    fx().assertDocument(key, "{\"a\": 3, \"b\": 2}");
  }
}
