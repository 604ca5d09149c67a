package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Edits arrays whose root has an inner node as its first child, and a leaf as its last one. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class UnevenTreeIT {
  @Parameter Setting setting;

  private DocumentFixture fx;

  @BeforeEach
  void store() {
    fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"));
  }

  @AfterEach
  void close() throws Exception {
    fx.afterTest();
    fx.close();
  }

  private static List<Object> elements(int size) {
    return new ArrayList<>(
        IntStream.range(0, size)
            .<Object>mapToObj("element %d with some words"::formatted)
            .toList());
  }

  private Object row(List<Object> list) {
    Object key = fx.row();
    fx.own().put(key, Map.of("list", list));
    return key;
  }

  /** Returns the sizes of arrays that are stored in an uneven tree. */
  private List<Integer> sizes() {
    List<Integer> sizes = new ArrayList<>();
    for (int size = 60; size < 200; size++) {
      Object unused = row(elements(size));
      String uneven =
          """
          SELECT count(*) FROM %2$s r JOIN %2$s f ON f.doc = r.doc AND f.id = r.kids[1]
          JOIN %2$s l ON l.doc = r.doc AND l.id = r.kids[cardinality(r.kids)]
          WHERE r.doc = (SELECT max(id) FROM %1$s) AND f.value IS NULL AND l.value IS NOT NULL\
          """;
      if (fx.number(uneven.formatted(fx.table("head"), fx.table("node"))) > 0) {
        sizes.add(size);
      }
    }
    assertThat(sizes).hasSizeGreaterThan(3);
    return sizes;
  }

  @Test
  void appendKeepingLast_keepsTheLastElements() {
    for (int size : sizes()) {
      for (int removed : List.of(1, 7, 30, size - 5)) {
        List<Object> list = elements(size);
        Object key = row(list);
        DocumentValue array = fx.documents().at(key, "list");
        for (int i = 0; i < 3; i++) {
          array.appendKeepingLast(size + 1 - removed, "added " + i);
          list.add("added " + i);
          list = list.subList(Math.max(0, list.size() - (size + 1 - removed)), list.size());
          assertThat(array.get(List.class)).as("%d of %d", removed, size).hasValue(list);
        }
        assertThat(fx.own().verify(key)).isEmpty();
      }
    }
  }

  @Test
  void everyPosition_isEdited() {
    int size = sizes().get(0);
    for (int position : List.of(0, 1, size / 2, size - 2, size - 1)) {
      List<Object> list = elements(size);
      Object key = row(list);
      DocumentValue element = fx.documents().at(key, "list[" + position + "]");
      element.set("set");
      element.insert("inserted");
      list.set(position, "set");
      list.add(position, "inserted");
      assertThat(fx.documents().at(key, "list").get(List.class)).hasValue(list);
      assertThat(element.remove()).isTrue();
      list.remove(position);
      fx.documents().at(key, "list").keepLast(size - 3);
      assertThat(fx.documents().at(key, "list").get(List.class))
          .hasValue(list.subList(3, list.size()));
      assertThat(fx.own().verify(key)).isEmpty();
    }
  }
}
