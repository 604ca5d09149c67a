package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 7396. */
interface MergePatchContract extends DocumentContract {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":\"b\"} | {\"a\":\"c\"} | {\"a\":\"c\"}",
        "{\"a\":\"b\"} | {\"b\":\"c\"} | {\"a\":\"b\",\"b\":\"c\"}",
        "{\"a\":\"b\"} | {\"a\":null} | {}",
        "{\"a\":\"b\",\"b\":\"c\"} | {\"a\":null} | {\"b\":\"c\"}",
        "{\"a\":[\"b\"]} | {\"a\":\"c\"} | {\"a\":\"c\"}",
        "{\"a\":\"c\"} | {\"a\":[\"b\"]} | {\"a\":[\"b\"]}",
        "{\"a\":{\"b\":\"c\"}} | {\"a\":{\"b\":\"d\",\"c\":null}} | {\"a\":{\"b\":\"d\"}}",
        "{\"a\":[{\"b\":\"c\"}]} | {\"a\":[1]} | {\"a\":[1]}",
        "[\"a\",\"b\"] | [\"c\",\"d\"] | [\"c\",\"d\"]",
        "{\"a\":\"b\"} | [\"c\"] | [\"c\"]",
        "{\"a\":\"foo\"} | null | null",
        "{\"a\":\"foo\"} | \"bar\" | \"bar\"",
        "{\"e\":null} | {\"a\":1} | {\"e\":null,\"a\":1}",
        "[1,2] | {\"a\":\"b\",\"c\":null} | {\"a\":\"b\"}",
        "{} | {\"a\":{\"bb\":{\"ccc\":null}}} | {\"a\":{\"bb\":{}}}"
      })
  default void mergesOfTheRfc_haveTheirResults(String before, String patch, String after) {
    Object key = fx().row(before);
    fx().documents().mergeJson(key, patch);
    fx().assertDocument(key, after);
  }

  @Test
  default void mergeIntoNull_createsTheDocument() {
    Object key = fx().row();
    fx().documents().mergeJson(key, "{\"a\": {\"b\": null, \"c\": 1}}");
    fx().assertDocument(key, "{\"a\": {\"c\": 1}}");
  }

  @Test
  default void mergeIntoALargeDocument_changesOnlyTheNamedMembers() {
    Object key = fx().row(Documents.big(60));
    Object expected = fx().row(Documents.big(60));
    fx().documents()
        .mergeJson(
            key,
            "{\"id\": 1.50, \"none\": null, \"index\": {\"k7\": {\"sum\": null, \"new\": {\"x\":"
                + " 1}}, \"k14\": null, \"k1000\": {\"big\": \"%s\"}}, \"deep\": {\"a\": {\"b\": {\"c\": []}}}}"
                    .formatted(Documents.words(1, 3000)));
    DocumentColumn own = fx().own();
    own.at(expected, "id").set(new BigDecimal("1.50"));
    own.at(expected, "none").remove();
    own.at(expected, "index.k7.sum").remove();
    own.at(expected, "index.k7.new").set(Map.of("x", 1));
    own.at(expected, "index.k14").remove();
    own.at(expected, "index.k1000")
        .set(Json.readTree("{\"big\": \"%s\"}".formatted(Documents.words(1, 3000))));
    own.at(expected, "deep.a.b.c").set(List.of());
    fx().assertDocument(key, fx().document(expected));
  }

  @Test
  default void mergeOfInvalidJson_isRefusedAndKeepsTheDocument() {
    Object key = fx().row("{\"a\": 1}");
    for (String wrong : List.of("", "{", "{\"a\": 2} x", "{\"a\": 2, \"b\": \"\\u0000\"}")) {
      Expect.refused(InvalidJsonException.class, () -> fx().documents().mergeJson(key, wrong));
    }
    fx().assertDocument(key, "{\"a\": 1}");
  }

  @Test
  default void concurrentMerges_keepAllMembers() throws Exception {
    Object key = fx().row("{\"all\": {}}");
    Wait.inThreads(
        6,
        thread -> {
          DocumentColumn documents = fx().documents();
          for (int n = 0; n < 20; n++) {
            documents.merge(key, Map.of("all", Map.of("m" + thread + "-" + n, "x".repeat(60))));
          }
        });
    assertThat(fx().own().at(key, "all").size()).hasValue(120);
    assertThat(fx().own().verify(key)).isEmpty();
  }
}
