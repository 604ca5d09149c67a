package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.MissingParents;
import io.pgtoaster.jsonb.NullTreatment;
import io.pgtoaster.jsonb.SetOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a set does with missing parents and with null. */
interface SetOptionsContract extends DocumentContract {
  SetOptions CREATE = SetOptions.defaults().withMissingParents(MissingParents.CREATE);
  SetOptions FAIL = SetOptions.defaults().withMissingParents(MissingParents.FAIL);

  @Test
  default void missingParents_areCreated() {
    Object key = fx().row("{\"a\": {}, \"list\": [1], \"n\": 5}");
    DocumentColumn documents = fx().documents();
    assertThat(documents.at(key, "a.b.c").set(1, CREATE)).isTrue();
    assertThat(documents.at(key, "x.y[0].z").set("made", CREATE)).isTrue();
    assertThat(documents.at(key, "list[7].k").set(true, CREATE)).isTrue();
    assertThat(documents.at(key, "a.b.d").set(2, CREATE)).isTrue();
    assertThat(documents.at(key, "n.x").set(2, CREATE)).isFalse();
    assertThat(documents.at(key, "n.x.y").set(2, CREATE)).isFalse();
    fx().assertDocument(
            key,
            "{\"a\": {\"b\": {\"c\": 1, \"d\": 2}}, \"list\": [1, {\"k\": true}], \"n\": 5, \"x\":"
                + " {\"y\": [{\"z\": \"made\"}]}}");
  }

  @Test
  default void missingParents_ofABigDocument_areCreated() {
    String big = Documents.big(60);
    Object key = fx().row(big);
    assertThat(fx().documents().at(key, "items[59].more.of[0].it").set(1, CREATE)).isTrue();
    assertThat(fx().documents().at(key, "items[59].more").get().orElseThrow().toString())
        .isEqualTo("{\"of\":[{\"it\":1}]}");
    assertThat(fx().documents().at(key, "items[59].more").remove()).isTrue();
    fx().assertDocument(key, big);
  }

  @Test
  default void missingParents_ofANullColumn_areCreated() {
    Object key = fx().row();
    assertThat(fx().documents().at(key, "a[0].b").set(1, CREATE)).isTrue();
    fx().assertDocument(key, "{\"a\": [{\"b\": 1}]}");
    Object array = fx().row();
    assertThat(fx().documents().at(array, "[0]").set(1, CREATE)).isTrue();
    fx().assertDocument(array, "[1]");
    Object whole = fx().row();
    assertThat(fx().documents().at(whole, "").set(1, CREATE)).isTrue();
    fx().assertDocument(whole, "1");
  }

  @Test
  default void missingParents_createdByMany_keepWhatAllOfThemSet() throws Exception {
    Object key = fx().row("{}");
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      DocumentColumn documents = fx().documents();
      String path = "a.b.c" + i;
      all.add(Wait.start(() -> documents.at(key, path).set(1, CREATE)));
    }
    for (Future<Boolean> future : all) {
      assertThat(Wait.get(future)).isTrue();
    }
    assertThat(fx().own().at(key, "a.b").size()).hasValue(8);
  }

  @Test
  default void missingParents_failIfAskedFor() {
    Object key = fx().row("{\"a\": {}, \"n\": 5}");
    DocumentColumn documents = fx().documents();
    for (String path : List.of("x.y", "a.b.c", "n.x", "n.x.y")) {
      InvalidPathException e =
          Expect.refused(InvalidPathException.class, () -> documents.at(key, path).set(1, FAIL));
      assertThat(e.getMessage()).contains("item.doc", "key", path);
    }
    assertThat(documents.at(key, "a.b").set(1, FAIL.withCreateMissing(false))).isFalse();
    assertThat(documents.at(key, "a.b").set(1, FAIL)).isTrue();
    fx().assertDocument(key, "{\"a\": {\"b\": 1}, \"n\": 5}");
    Object empty = fx().row();
    Expect.refused(InvalidPathException.class, () -> documents.at(empty, "a").set(1, FAIL));
  }

  @Test
  default void javasNull_isTreatedAsAskedFor() {
    Object key = fx().row("{\"a\": 1, \"b\": 2}");
    DocumentColumn documents = fx().documents();
    SetOptions options = SetOptions.defaults();
    assertThat(
            documents
                .at(key, "a")
                .set(null, options.withNullTreatment(NullTreatment.RETURN_TARGET)))
        .isFalse();
    Expect.refused(
        InvalidJsonException.class,
        () ->
            documents
                .at(key, "a")
                .set(null, options.withNullTreatment(NullTreatment.RAISE_EXCEPTION)));
    fx().assertDocument(key, "{\"a\": 1, \"b\": 2}");
    assertThat(
            documents
                .at(key, "a")
                .set(null, options.withNullTreatment(NullTreatment.USE_JSON_NULL)))
        .isTrue();
    fx().assertDocument(key, "{\"a\": null, \"b\": 2}");
    SetOptions delete = options.withNullTreatment(NullTreatment.DELETE_KEY);
    assertThat(documents.at(key, "a").set(null, delete)).isTrue();
    assertThat(documents.at(key, "a").set(null, delete)).isFalse();
    assertThat(documents.at(key, "a").set(3, delete)).isTrue();
    fx().assertDocument(key, "{\"a\": 3, \"b\": 2}");
  }
}
