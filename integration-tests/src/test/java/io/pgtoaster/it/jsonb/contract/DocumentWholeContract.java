package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.FailingInput;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Whole documents in every form that the API reads and writes. */
interface DocumentWholeContract extends DocumentContract {
  List<String> ALL =
      List.of(
          "{}",
          "[]",
          "null",
          "0",
          "\"\"",
          "{\"a\": [1, 2.50, {\"b\": null}]}",
          Documents.big(3),
          Documents.big(40),
          Documents.big(300),
          "[" + Documents.big(30) + ", " + Documents.big(30) + "]",
          "\"" + Documents.words(1, 50_000) + "\"");

  @Test
  default void put_inEveryForm_storesExactlyTheDocument() {
    DocumentColumn documents = fx().documents();
    Object key = fx().row();
    for (String json : ALL) {
      documents.putJson(key, json);
      fx().assertDocument(key, json);
      documents.clear(key);
      documents.putJson(key, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
      fx().assertDocument(key, json);
      documents.clear(key);
      documents.putJson(key, new StringReader(json));
      fx().assertDocument(key, json);
      documents.clear(key);
      documents.put(key, Json.readTree(json));
      fx().assertDocument(key, json);
    }
  }

  @Test
  default void put_overEveryOtherDocument_storesExactlyTheDocument() {
    Object key = fx().row();
    for (String before : ALL) {
      for (String json : ALL) {
        fx().own().putJson(key, before);
        fx().own().putJson(key, json);
        assertThat(fx().document(key)).isEqualTo(fx().canonical(json));
      }
      assertThat(fx().own().verify(key)).isEmpty();
    }
  }

  @Test
  default void put_ofTheSameDocument_writesNothing() {
    for (String json : ALL) {
      Object key = fx().row(json);
      assertThat(fx().documents().putJson(key, json).written()).isZero();
      assertThat(fx().documents().putJson(key, fx().canonical(json)).written()).isZero();
    }
    Object key = fx().row("{\"n\": 1.0}");
    assertThat(fx().documents().putJson(key, "{\"n\": 1.00}").written()).isEqualTo(1);
    fx().assertDocument(key, "{\"n\": 1.00}");
  }

  @Test
  default void documentsOfAllSizes_loadedInTurn_areComplete() {
    List<String> texts =
        List.of(
            "{\"a\": 1}",
            "{\"a\": \"%s\"}".formatted("x y ".repeat(5_000)),
            "{\"a\": %s}".formatted(IntStream.range(0, 200_000).boxed().toList()),
            "\"%s\"".formatted("x y ".repeat(5_000)),
            "null");
    List<Object> keys = texts.stream().map(text -> fx().row(text)).toList();
    // The document that was read last decides which statement reads the next one.
    for (int before = 0; before < keys.size(); before++) {
      for (int i = 0; i < keys.size(); i++) {
        fx().documents().text(keys.get(before));
        assertThat(fx().documents().text(keys.get(i)).map(Documents::canonical))
            .contains(Documents.canonical(texts.get(i)));
      }
    }
  }

  @Test
  default void load_inEveryForm_returnsTheDocument() {
    DocumentColumn documents = fx().documents();
    for (String json : ALL) {
      Object key = fx().row(json);
      String canonical = fx().canonical(json);
      assertThat(documents.text(key).map(Documents::canonical)).contains(canonical);
      assertThat(JsonbText.text(documents.load(key).orElseThrow())).isEqualTo(canonical);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      assertThat(documents.load(key, bytes)).isTrue();
      assertThat(Documents.canonical(bytes.toString(StandardCharsets.UTF_8))).isEqualTo(canonical);
      StringWriter writer = new StringWriter();
      assertThat(documents.load(key, writer)).isTrue();
      assertThat(Documents.canonical(writer.toString())).isEqualTo(canonical);
    }
  }

  record Order(long number, List<OrderLine> lines, BigDecimal total, Map<String, Object> more) {}

  record OrderLine(String itemName, BigDecimal unitPrice) {}

  private static Order order() {
    return new Order(
        7,
        List.of(
            new OrderLine("ünit", new BigDecimal("1.10")),
            new OrderLine("b", new BigDecimal("123456789.123456789012345678900"))),
        new BigDecimal("1.00"),
        Map.of("note", "x", "rate", new BigDecimal("0.10")));
  }

  @Test
  default void objects_ofTheCallersClasses_areReadBackUnchanged() {
    Object key = fx().row();
    fx().documents().put(key, order());
    assertThat(fx().documents().load(key, Order.class)).contains(order());
    fx().assertDocument(
            key,
            "{\"more\": {\"note\": \"x\", \"rate\": 0.10}, \"lines\": [{\"itemName\": \"ünit\","
                + " \"unitPrice\": 1.10}, {\"itemName\": \"b\", \"unitPrice\":"
                + " 123456789.123456789012345678900}], \"total\": 1.00, \"number\": 7}");
  }

  @Test
  default void objects_areMappedByTheCallersMapper() {
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    DocumentColumn documents = fx().documents().withMapper(mapper);
    Object key = fx().row();
    documents.put(key, new OrderLine("a", new BigDecimal("1.50")));
    fx().assertDocument(key, "{\"item_name\": \"a\", \"unit_price\": 1.50}");
    OrderLine first = new OrderLine("b", BigDecimal.ONE);
    documents.at(key, "next").set(first);
    documents.edit(
        key, List.of(JsonEdit.replaceIf("next", first, new OrderLine("b", new BigDecimal("2.0")))));
    assertThat(documents.at(key, "next").get(OrderLine.class))
        .contains(new OrderLine("b", new BigDecimal("2.0")));
    fx().assertDocument(
            key,
            "{\"next\": {\"item_name\": \"b\", \"unit_price\": 2.0}, \"item_name\": \"a\","
                + " \"unit_price\": 1.50}");
  }

  @Test
  default void clear_setsTheColumnToNull() {
    for (String json : ALL) {
      Object key = fx().row(json);
      fx().documents().clear(key);
      fx().documents().clear(key);
      assertThat(fx().document(key)).isNull();
    }
  }

  @Test
  default void compact_keepsTheDocument() {
    for (String json : ALL) {
      Object key = fx().row(json);
      if (json.length() > 100 && json.startsWith("{")) {
        fx().own().at(key, "items[1].text").set("short");
        fx().own().at(key, "index").remove();
      }
      String before = fx().document(key);
      fx().documents().compact(key);
      assertThat(fx().documents().compact(key)).isZero();
      fx().assertDocument(key, before);
    }
  }

  @Test
  default void put_ofAFailingStream_keepsTheDocument() {
    Object key = fx().row(Documents.big(20));
    byte[] half = Documents.big(500).getBytes(StandardCharsets.UTF_8);
    for (int length : new int[] {0, 10, 30_000}) {
      InputStream in = FailingInput.after(Arrays.copyOf(half, length));
      assertThatThrownBy(() -> fx().documents().putJson(key, in))
          .isInstanceOf(UncheckedIOException.class)
          .hasRootCauseMessage(FailingInput.MESSAGE);
      fx().assertDocument(key, Documents.big(20));
    }
  }

  @Test
  default void put_ofInvalidJson_isRefusedAndKeepsTheDocument() {
    Object key = fx().row(Documents.big(20));
    String big = Documents.big(100);
    for (String wrong :
        List.of(
            "",
            " ",
            "{",
            "{\"a\": 1",
            "{} {}",
            "[1,]",
            "{\"a\": 1}x",
            "01",
            "nul",
            "'a'",
            "NaN",
            big.substring(0, big.length() - 1),
            big + ",",
            big.replace("\"sum\": 5000", "\"sum\": 5000e"))) {
      Expect.refused(InvalidJsonException.class, () -> fx().documents().putJson(key, wrong));
      Expect.refused(
          InvalidJsonException.class,
          () ->
              fx().documents()
                  .putJson(key, new ByteArrayInputStream(wrong.getBytes(StandardCharsets.UTF_8))));
      fx().assertDocument(key, Documents.big(20));
    }
    byte[] notUtf8 = "{\"a\": \"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
    Expect.refused(
        InvalidJsonException.class,
        () -> fx().documents().putJson(key, new ByteArrayInputStream(notUtf8)));
    fx().assertDocument(key, Documents.big(20));
  }

  @Test
  default void load_intoAFailingOutput_releasesTheConnection() {
    Object key = fx().row(Documents.big(300));
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(FailingInput.MESSAGE);
          }
        };
    assertThatThrownBy(() -> fx().documents().load(key, broken))
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage(FailingInput.MESSAGE);
    fx().assertDocument(key, Documents.big(300));
  }
}
