package io.pgtoaster.it.jsonb;

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
    assertThat(documents.set(key, "a.b.c", 1, CREATE)).isTrue();
    assertThat(documents.set(key, "x.y[0].z", "made", CREATE)).isTrue();
    assertThat(documents.set(key, "list[7].k", true, CREATE)).isTrue();
    assertThat(documents.set(key, "a.b.d", 2, CREATE)).isTrue();
    assertThat(documents.set(key, "n.x", 2, CREATE)).isFalse();
    assertThat(documents.set(key, "n.x.y", 2, CREATE)).isFalse();
    fx().assertDocument(
            key,
            "{\"a\": {\"b\": {\"c\": 1, \"d\": 2}}, \"list\": [1, {\"k\": true}], \"n\": 5, \"x\":"
                + " {\"y\": [{\"z\": \"made\"}]}}");
  }

  @Test
  default void missingParents_ofABigDocument_areCreated() {
    String big = Documents.big(60);
    Object key = fx().row(big);
    assertThat(fx().documents().set(key, "items[59].more.of[0].it", 1, CREATE)).isTrue();
    assertThat(fx().documents().get(key, "items[59].more").orElseThrow().toString())
        .isEqualTo("{\"of\":[{\"it\":1}]}");
    assertThat(fx().documents().remove(key, "items[59].more")).isTrue();
    fx().assertDocument(key, big);
  }

  @Test
  default void missingParents_ofANullColumn_areCreated() {
    Object key = fx().row();
    assertThat(fx().documents().set(key, "a[0].b", 1, CREATE)).isTrue();
    fx().assertDocument(key, "{\"a\": [{\"b\": 1}]}");
    Object array = fx().row();
    assertThat(fx().documents().set(array, "[0]", 1, CREATE)).isTrue();
    fx().assertDocument(array, "[1]");
    Object whole = fx().row();
    assertThat(fx().documents().set(whole, "", 1, CREATE)).isTrue();
    fx().assertDocument(whole, "1");
  }

  @Test
  default void missingParents_createdByMany_keepWhatAllOfThemSet() throws Exception {
    Object key = fx().row("{}");
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      DocumentColumn documents = fx().documents();
      String path = "a.b.c" + i;
      all.add(Wait.start(() -> documents.set(key, path, 1, CREATE)));
    }
    for (Future<Boolean> future : all) {
      assertThat(Wait.get(future)).isTrue();
    }
    assertThat(fx().own().size(key, "a.b")).hasValue(8);
  }

  @Test
  default void missingParents_failIfAskedFor() {
    Object key = fx().row("{\"a\": {}, \"n\": 5}");
    DocumentColumn documents = fx().documents();
    for (String path : List.of("x.y", "a.b.c", "n.x", "n.x.y")) {
      InvalidPathException e =
          Expect.refused(InvalidPathException.class, () -> documents.set(key, path, 1, FAIL));
      assertThat(e.getMessage()).contains("item.doc", "key", path);
    }
    assertThat(documents.set(key, "a.b", 1, FAIL.withCreateMissing(false))).isFalse();
    assertThat(documents.set(key, "a.b", 1, FAIL)).isTrue();
    fx().assertDocument(key, "{\"a\": {\"b\": 1}, \"n\": 5}");
    Object empty = fx().row();
    Expect.refused(InvalidPathException.class, () -> documents.set(empty, "a", 1, FAIL));
  }

  @Test
  default void javasNull_isTreatedAsAskedFor() {
    Object key = fx().row("{\"a\": 1, \"b\": 2}");
    DocumentColumn documents = fx().documents();
    SetOptions options = SetOptions.defaults();
    assertThat(
            documents.set(key, "a", null, options.withNullTreatment(NullTreatment.RETURN_TARGET)))
        .isFalse();
    Expect.refused(
        InvalidJsonException.class,
        () ->
            documents.set(
                key, "a", null, options.withNullTreatment(NullTreatment.RAISE_EXCEPTION)));
    fx().assertDocument(key, "{\"a\": 1, \"b\": 2}");
    assertThat(
            documents.set(key, "a", null, options.withNullTreatment(NullTreatment.USE_JSON_NULL)))
        .isTrue();
    fx().assertDocument(key, "{\"a\": null, \"b\": 2}");
    SetOptions delete = options.withNullTreatment(NullTreatment.DELETE_KEY);
    assertThat(documents.set(key, "a", null, delete)).isTrue();
    assertThat(documents.set(key, "a", null, delete)).isFalse();
    assertThat(documents.set(key, "a", 3, delete)).isTrue();
    fx().assertDocument(key, "{\"a\": 3, \"b\": 2}");
  }
}
