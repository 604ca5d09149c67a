package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.JsonPatch;
import java.sql.Connection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 6902. */
interface JsonPatchContract extends DocumentContract {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"foo\":\"bar\"} | [{\"op\":\"add\",\"path\":\"/baz\",\"value\":\"qux\"}] | {\"baz\":\"qux\",\"foo\":\"bar\"}",
        "{\"foo\":[\"bar\",\"baz\"]} | [{\"op\":\"add\",\"path\":\"/foo/1\",\"value\":\"qux\"}] | {\"foo\":[\"bar\",\"qux\",\"baz\"]}",
        "{\"foo\":[\"bar\"]} | [{\"op\":\"add\",\"path\":\"/foo/-\",\"value\":[\"abc\"]}] | {\"foo\":[\"bar\",[\"abc\"]]}",
        "{\"baz\":\"qux\",\"foo\":\"bar\"} | [{\"op\":\"remove\",\"path\":\"/baz\"}] | {\"foo\":\"bar\"}",
        "{\"foo\":[1,2,3]} | [{\"op\":\"remove\",\"path\":\"/foo/1\"}] | {\"foo\":[1,3]}",
        "{\"baz\":\"qux\"} | [{\"op\":\"replace\",\"path\":\"/baz\",\"value\":\"boo\"}] | {\"baz\":\"boo\"}",
        "{\"foo\":{\"bar\":1},\"q\":{}} | [{\"op\":\"move\",\"from\":\"/foo/bar\",\"path\":\"/q/x\"}] | {\"foo\":{},\"q\":{\"x\":1}}",
        "{\"foo\":[1,2,3,4]} | [{\"op\":\"move\",\"from\":\"/foo/1\",\"path\":\"/foo/3\"}] | {\"foo\":[1,3,4,2]}",
        "{\"a\":{\"b\":1}} | [{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/c\"}] | {\"a\":{\"b\":1},\"c\":{\"b\":1}}",
        "{\"baz\":\"qux\",\"foo\":[1]} | [{\"op\":\"test\",\"path\":\"/foo/0\",\"value\":1.0}] | {\"baz\":\"qux\",\"foo\":[1]}",
        "{\"a/b\":1,\"m~n\":2} | [{\"op\":\"test\",\"path\":\"/a~1b\",\"value\":1},{\"op\":\"remove\",\"path\":\"/m~0n\"}] | {\"a/b\":1}",
        "{\"a\":1} | [{\"op\":\"replace\",\"path\":\"\",\"value\":[1]}] | [1]",
        "{\"a\":1} | [{\"op\":\"add\",\"path\":\"\",\"value\":null}] | null",
        "{\"a\":1} | [] | {\"a\":1}"
      })
  default void examplesOfTheRfc_haveTheirResults(String before, String patch, String after) {
    Object key = fx().row(before);
    fx().documents().patchJson(key, patch);
    fx().assertDocument(key, after);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{\"op\":\"test\",\"path\":\"/name\",\"value\":\"other\"}]",
        "[{\"op\":\"remove\",\"path\":\"/missing\"}]",
        "[{\"op\":\"replace\",\"path\":\"/missing\",\"value\":1}]",
        "[{\"op\":\"add\",\"path\":\"/missing/x\",\"value\":1}]",
        "[{\"op\":\"add\",\"path\":\"/items/99\",\"value\":1}]",
        "[{\"op\":\"add\",\"path\":\"/items/-1\",\"value\":1}]",
        "[{\"op\":\"add\",\"path\":\"/items/01\",\"value\":1}]",
        "[{\"op\":\"remove\",\"path\":\"/items/-\"}]",
        "[{\"op\":\"move\",\"from\":\"/deep\",\"path\":\"/deep/a/x\"}]",
        "[{\"op\":\"copy\",\"from\":\"/missing\",\"path\":\"/x\"}]",
        "[{\"op\":\"unknown\",\"path\":\"/x\"}]",
        "[{\"op\":\"add\",\"path\":\"/x\"}]",
        "[{\"op\":\"add\",\"path\":\"x\",\"value\":1}]",
        "{\"op\":\"remove\",\"path\":\"/name\"}",
        "[1]"
      })
  default void failingOperations_undoAllOthers(String patch) throws Exception {
    String big = Documents.big(20);
    Object key = fx().row(big);
    String all =
        patch.startsWith("[{")
            ? "[{\"op\":\"add\",\"path\":\"/first\",\"value\":1},{\"op\":\"remove\",\"path\":\"/index\"},"
                + patch.substring(1)
            : patch;
    PatchFailedException e =
        Expect.refused(PatchFailedException.class, () -> fx().documents().patchJson(key, all));
    assertThat(e.getMessage()).doesNotContain("other");
    fx().assertDocument(key, big);
    Connection connection = fx().begin();
    Sql.run(connection, "UPDATE item SET name = 'kept'" + fx().where(key));
    Expect.refused(PatchFailedException.class, () -> fx().on(connection).patchJson(key, all));
    connection.commit();
    fx().assertDocument(key, big);
    assertThat(fx().string("SELECT name FROM item" + fx().where(key))).isEqualTo("kept");
  }

  @Test
  default void patchOfALargeDocument_appliesAllOperations() {
    Object key = fx().row(Documents.big(60));
    fx().documents()
        .patch(
            key,
            List.of(
                Map.of("op", "test", "path", "/items/59/no", "value", 59),
                Map.of("op", "move", "from", "/items/59", "path", "/items/0"),
                Map.of("op", "copy", "from", "/index/k7", "path", "/again"),
                Map.of("op", "remove", "path", "/text"),
                Map.of("op", "add", "path", "/few/-", "value", List.of(1)),
                Map.of("op", "replace", "path", "/deep/a/b/c/3/1", "value", "x")));
    assertThat(fx().own().at(key, "items[0].no").get(Integer.class)).contains(59);
    assertThat(fx().own().at(key, "items").size()).hasValue(60);
    assertThat(fx().own().at(key, "again").get()).isEqualTo(fx().own().at(key, "index.k7").get());
    assertThat(fx().own().at(key, "text").exists()).isFalse();
    assertThat(fx().own().at(key, "few").text()).contains("[1, \"two\", null, [4], [1]]");
    assertThat(fx().own().at(key, "deep.a.b.c[3]").text()).contains("[3, \"x\"]");
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void repeatedCopiesThatDoubleTheDocument_areRefused() {
    String before = "{\"a\": [%s]}".formatted(Documents.big(20));
    Object key = fx().row(before);
    List<Map<String, String>> copies =
        Collections.nCopies(40, Map.of("op", "copy", "from", "/a", "path", "/a/-"));
    PatchFailedException e =
        Expect.refused(PatchFailedException.class, () -> fx().documents().patch(key, copies));
    assertThat(e).hasMessageContaining("copies of the patch add more than 1048576 bytes");
    fx().assertDocument(key, before);
  }

  @Test
  default void copiesAllowedByTheCaller_areApplied() {
    Object key = fx().row("{\"a\": \"%s\"}".formatted("x".repeat(JsonPatch.DEFAULT_COPY_LIMIT)));
    JsonPatch copy =
        JsonPatch.of(Json.toTree(List.of(Map.of("op", "copy", "from", "/a", "path", "/b"))));
    Expect.refused(PatchFailedException.class, () -> fx().documents().patch(key, copy));
    fx().documents().patch(key, copy.withCopyLimit(2L * JsonPatch.DEFAULT_COPY_LIMIT));
    assertThat(fx().own().at(key, "b").get(String.class))
        .isEqualTo(fx().own().at(key, "a").get(String.class));
  }

  @Test
  default void invalidPatch_isRefused() {
    Object key = fx().row("{\"a\": 1}");
    Expect.refused(InvalidJsonException.class, () -> fx().documents().patchJson(key, "[{"));
    fx().assertDocument(key, "{\"a\": 1}");
  }

  @Test
  default void patchOfNull_canOnlyAddTheWholeDocument() {
    Object key = fx().row();
    Expect.refused(
        PatchFailedException.class,
        () ->
            fx().documents().patchJson(key, "[{\"op\": \"add\", \"path\": \"/a\", \"value\": 1}]"));
    fx().documents().patchJson(key, "[{\"op\": \"add\", \"path\": \"\", \"value\": {\"a\": 1}}]");
    fx().assertDocument(key, "{\"a\": 1}");
  }
}
