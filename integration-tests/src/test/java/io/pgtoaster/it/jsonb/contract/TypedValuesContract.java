package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.jsonb.SetOptions;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Values of generic types, and values as JSON text. */
interface TypedValuesContract extends DocumentContract {
  TypeReference<List<Map<String, BigDecimal>>> PRICES = new TypeReference<>() {};

  /**
   * Values of this type are written with the name of their class, if the declared type requires it.
   */
  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
  interface Shape {}

  record Circle(int radius) implements Shape {}

  private Object prices() {
    return fx().row("{\"list\": [{\"a\": 1.50}, {\"b\": 2}, null], \"text\": \"x\"}");
  }

  @Test
  default void get_ofAGenericType_mapsTheValue() {
    Object key = prices();
    DocumentColumn documents = fx().documents();
    assertThat(documents.at(key, "list").get(PRICES).orElseThrow())
        .containsExactly(
            Map.of("a", new BigDecimal("1.50")), Map.of("b", BigDecimal.valueOf(2)), null);
    assertThat(documents.at(key, "nothing").get(PRICES)).isEmpty();
    JavaType type =
        JsonMapper.shared().getTypeFactory().constructMapType(Map.class, String.class, long.class);
    assertThat(documents.at(key, DocumentPath.parse("list[1]")).<Map<String, Long>>get(type))
        .contains(Map.of("b", 2L));
    assertThatThrownBy(() -> documents.at(key, "text").get(PRICES))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("does not fit java.util.List<java.util.Map<")
        .hasMessageContaining("item.doc");
  }

  @Test
  default void slice_fromTheEnd_returnsTheLastElements() {
    DocumentColumn documents = fx().documents();
    for (int size : new int[] {3, 5_000}) {
      List<Integer> numbers = IntStream.range(0, size).boxed().toList();
      Object key = fx().row("{\"list\": " + numbers + ", \"n\": 1}");
      DocumentValue list = documents.at(key, "list");
      assertThat(list.slice(-2, Long.MAX_VALUE, Integer.class))
          .contains(numbers.subList(size - 2, size));
      assertThat(list.slice(-2, -1, Integer.class)).contains(List.of(size - 2));
      assertThat(list.slice(1, -1, Integer.class)).contains(numbers.subList(1, size - 1));
      assertThat(list.slice(-9_000, 1, Integer.class)).contains(List.of(0));
      assertThat(list.slice(-1, 0, Integer.class)).contains(List.of());
      assertThat(list.slice(size, -1, Integer.class)).contains(List.of());
      assertThat(documents.at(key, "n").slice(-2, -1)).isEmpty();
      assertThat(documents.at(key, "missing").slice(-2, -1)).isEmpty();
    }
  }

  @Test
  default void slice_ofTypes_mapsTheElements() {
    Object key = prices();
    DocumentColumn documents = fx().documents();
    DocumentPath list = DocumentPath.parse("list");
    assertThat(documents.at(key, list).slice(1, 9, Map.class).orElseThrow())
        .containsExactly(Map.of("b", 2), null);
    assertThat(
            documents
                .at(key, list)
                .slice(0, 1, new TypeReference<Map<String, String>>() {})
                .orElseThrow())
        .containsExactly(Map.of("a", "1.50"));
    assertThat(documents.at(key, DocumentPath.parse("text")).slice(0, 1, Map.class)).isEmpty();
    assertThat(documents.at(key, "list").slice(1, 2, Map.class).orElseThrow())
        .containsExactly(Map.of("b", 2));
    assertThat(
            documents
                .at(key, "list")
                .slice(1, 2, new TypeReference<Map<String, Long>>() {})
                .orElseThrow())
        .containsExactly(Map.of("b", 2L));
    JavaType numbers =
        JsonMapper.shared().getTypeFactory().constructMapType(Map.class, String.class, long.class);
    assertThat(documents.at(key, list).<Map<String, Long>>slice(1, 2, numbers).orElseThrow())
        .containsExactly(Map.of("b", 2L));
    assertThatThrownBy(() -> documents.at(key, list).slice(0, 2, Integer.class))
        .isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> documents.at(key, list).slice(2, 1, Map.class))
        .isInstanceOf(InvalidOffsetException.class);
  }

  @Test
  default void put_ofAGenericType_writesElementsByTheType() {
    Object key = fx().row();
    DocumentColumn documents = fx().documents();
    TypeReference<List<Shape>> shapes = new TypeReference<>() {};
    documents.put(key, List.of(new Circle(3)), shapes);
    fx().assertDocument(key, "[{\"@type\": \"Circle\", \"radius\": 3}]");
  }

  @Test
  default void setJson_storesTheParsedText() {
    Object key = prices();
    DocumentColumn documents = fx().documents();
    documents.at(key, "text").setJson("{\"b\": [1.0, true], \"a\": null}");
    documents.at(key, "list[0]").setJson("null");
    documents.at(key, "list[1]").setJson(" \"s\" ");
    Expect.refused(PathNotFoundException.class, () -> documents.at(key, "x.y").setJson("1"));
    fx().assertDocument(
            key, "{\"list\": [null, \"s\", null], \"text\": {\"a\": null, \"b\": [1.0, true]}}");
    SetOptions create = SetOptions.defaults().withCreateParents(true);
    documents.at(key, DocumentPath.parse("x.y")).setJson("1", create);
    documents.at(key, DocumentPath.root()).setJson("[{}]");
    fx().assertDocument(key, "[{}]");
    assertThatThrownBy(() -> documents.at(key, "x").setJson("1"))
        .isInstanceOf(InvalidPathException.class);
  }

  @Test
  default void invalidValue_isRefusedWithItsPlace() {
    Object key = prices();
    DocumentColumn documents = fx().documents();
    String before = documents.text(key).orElseThrow();
    for (String text : List.of("", "{", "1 2", "secret", "\"\\u0000\"")) {
      assertThatThrownBy(() -> documents.at(key, "list[0]").setJson(text))
          .as(text)
          .isInstanceOf(InvalidJsonException.class)
          .hasMessageContaining("item.doc")
          .hasMessageContaining("list[0]")
          .hasMessageNotContaining("secret");
    }
    for (Object stream : List.of(new ByteArrayInputStream(new byte[1]), new StringReader("1"))) {
      assertThatThrownBy(() -> documents.at(key, "text").set(stream))
          .isInstanceOf(InvalidJsonException.class)
          .hasMessageContaining("setJson")
          .hasMessageContaining("text");
      assertThatThrownBy(() -> documents.at(key, "list").append(1, stream))
          .isInstanceOf(InvalidJsonException.class);
      assertThatThrownBy(() -> documents.at(key, "text").replaceIf("x", stream))
          .isInstanceOf(InvalidJsonException.class);
    }
    assertThatThrownBy(() -> documents.at(key, "list[1]").set("a\u0000b"))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("item.doc")
        .hasMessageContaining("list[1]");
    fx().assertDocument(key, before);
  }
}
