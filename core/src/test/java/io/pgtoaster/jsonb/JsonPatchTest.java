package io.pgtoaster.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations in a short notation: {@code add /a 1; test /b [2]; move /a /b}. */
class JsonPatchTest {
  private static final RowKey KEY = new RowKey(List.of("1"));

  private static String json(String patch) {
    StringBuilder text = new StringBuilder("[");
    for (String operation : patch.split("; ", -1)) {
      String[] words = operation.split(" ", 3);
      String second = words.length < 3 ? "" : words[2];
      text.append(text.length() == 1 ? "" : ",").append("{\"op\":\"" + words[0] + "\",");
      switch (words[0]) {
        case "move", "copy" ->
            text.append("\"from\":\"" + words[1] + "\",\"path\":\"" + second + "\"}");
        case "remove" -> text.append("\"path\":\"" + words[1] + "\"}");
        default -> text.append("\"path\":\"" + words[1] + "\",\"value\":" + second + "}");
      }
    }
    return text.append("]").toString();
  }

  private static MemoryVtable patched(MemoryVtable vtable, String patch) throws SQLException {
    JsonPatch.of(Json.readTree(patch))
        .operations
        .apply(new StoredDocumentTarget(NoConnection.INSTANCE, KEY, vtable));
    return vtable;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "{}|add /a 1|{\"a\":1}",
        "{\"a\":1}|add /a [2]|{\"a\":[2]}",
        "{\"a\":1}|add /b null|{\"a\":1,\"b\":null}",
        "{\"a\":{}}|add /a/b {\"c\":1}|{\"a\":{\"b\":{\"c\":1}}}",
        "{}|add / 1|{\"\":1}",
        "{\"a\":{}}|add /a/ 1|{\"a\":{\"\":1}}",
        "[]|add /0 \"x\"|[\"x\"]",
        "[]|add /- \"x\"|[\"x\"]",
        "[1,3]|add /1 2|[1,2,3]",
        "[1,2]|add /0 0|[0,1,2]",
        "[1,2]|add /2 3|[1,2,3]",
        "[1,2]|add /- [3,4]|[1,2,[3,4]]",
        "{\"a\":[1,[2,3]]}|add /a/1/- 4|{\"a\":[1,[2,3,4]]}",
        "{\"a\":{\"x\":1}}|add /a/- 4|{\"a\":{\"x\":1,\"-\":4}}",
        "{}|add /0 1; add /-1 2; add /01 3|{\"0\":1,\"-1\":2,\"01\":3}",
        "{\"-1\":{}}|add /-1/b 2|{\"-1\":{\"b\":2}}",
        "{\"a~b\":1,\"c/d\":2}|replace /a~0b 3; remove /c~1d|{\"a~b\":3}",
        "{\"~1\":10}|test /~01 10|{\"~1\":10}",
        "{\"a\":1}|add  []|[]",
        "[1]|add  {\"b\":2}|{\"b\":2}",
        "\"x\"|replace  \"y\"|\"y\"",
        "\"x\"|test  \"x\"|\"x\"",
        "{\"a\":1,\"b\":[1,2]}|remove /a|{\"b\":[1,2]}",
        "{\"b\":[1,{\"q\":2}]}|remove /b/1/q|{\"b\":[1,{}]}",
        "[1,2,3,4]|remove /1; remove /2|[1,3]",
        "{\"a\":1}|replace /a {\"b\":2}|{\"a\":{\"b\":2}}",
        "[\"\"]|replace /0 0|[0]",
        "[\"\",1]|replace /1 null|[\"\",null]",
        "{\"a\":{\"b\":{\"c\":1}}}|replace /a/b/c 2|{\"a\":{\"b\":{\"c\":2}}}",
        "{\"a\":1,\"b\":[2]}|move /a /c|{\"b\":[2],\"c\":1}",
        "{\"a\":1}|move /a /a|{\"a\":1}",
        "{\"a\":[1,2]}|move  |{\"a\":[1,2]}",
        "{\"b\":[{\"q\":\"s\"},7]}|move /b/0/q /b/1|{\"b\":[{},\"s\",7]}",
        "[1,2,3,4]|move /1 /3|[1,3,4,2]",
        "[1,2,3,4]|move /3 /-|[1,2,3,4]",
        "[1,2,3,4]|move /0 /3|[2,3,4,1]",
        "{\"a\":{\"b\":1},\"c\":{}}|move /a/b /c/d|{\"a\":{},\"c\":{\"d\":1}}",
        "{\"a\":{\"b\":1}}|move /a/b |1",
        "{\"a\":{\"b\":[1]}}|copy /a/b/0 /a/b/-|{\"a\":{\"b\":[1,1]}}",
        "{\"a\":{\"b\":1}}|copy /a /a/c|{\"a\":{\"b\":1,\"c\":{\"b\":1}}}",
        "{\"a\":{\"b\":1}}|copy  /c|{\"a\":{\"b\":1},\"c\":{\"a\":{\"b\":1}}}",
        "{\"a\":{\"b\":1}}|copy /a |{\"b\":1}",
        "{\"a\":1}|remove ; add  2|2",
        "{\"a\":null}|test /a null; replace /a true; test /a true|{\"a\":true}",
        "{\"a\":1.0}|test /a 1; test /a 1e0; test /a 1.00|{\"a\":1.0}",
        "{\"a\":1e2}|test /a 100|{\"a\":100}",
        "{\"a\":[1,2,[3]]}|test /a [1.0,2,[30e-1]]|{\"a\":[1,2,[3]]}",
        "{\"a\":{\"x\":1,\"y\":[]}}|test /a {\"y\":[],\"x\":1}|{\"a\":{\"x\":1,\"y\":[]}}",
        "{\"\":1}|test / 1|{\"\":1}",
        "{\"a\":\"b\"}|test /a \"b\"; test  {\"a\":\"b\"}|{\"a\":\"b\"}",
      })
  void result_matchesTheRfc(String document, String patch, String expected) throws SQLException {
    assertThat(patched(new MemoryVtable(document), json(patch)).text())
        .isEqualTo(JsonbText.text(Json.readTree(expected)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "{\"a\":1}|add /b/c 2",
        "{\"a\":1}|add /a/b 2",
        "[1,2]|add /3 9",
        "[1,2]|add /-1 9",
        "[1,2]|add /01 9",
        "[1,2]|add /+1 9",
        "[1,2]|add /1e0 9",
        "[1,2]|add /x 9",
        "[1,2]|add /99999999999999999999 9",
        "[1,2]|add / 9",
        "[[1],2]|add /00/0 9",
        "[[1],2]|add /-2/0 9",
        "[[1],2]|add /-/0 9",
        "[1,2]|remove /-1",
        "[1,2]|remove /-",
        "[1,2]|remove /2",
        "[1,2]|remove /00",
        "[1,2]|remove /x",
        "{\"a\":1}|remove /b",
        "{\"a\":1}|remove /a/b",
        "5|remove /a",
        "{\"a\":1}|replace /b 2",
        "{\"a\":1}|replace /b/c 2",
        "[1]|replace /1 2",
        "[1]|replace /- 2",
        "[1]|replace /-1 2",
        "[1]|replace /x 2",
        "{\"a\":{\"b\":1}}|move /a /a/b/c",
        "{\"a\":{\"b\":1}}|move  /a",
        "{\"a\":1}|move /b /c",
        "{\"a\":1}|move /b /b",
        "{\"a\":[1]}|move /a/-1 /b",
        "{\"a\":[1]}|move /a/0 /a/1",
        "{\"a\":1}|copy /b /c",
        "{\"a\":[1]}|copy /a/-1 /b",
        "{\"a\":[1]}|copy /a/0 /a/2",
        "{\"a\":1}|test /b 1",
        "{\"a\":1}|test /b null",
        "{\"a\":null}|test /a false",
        "{\"a\":1}|test /a \"1\"",
        "{\"a\":1}|test /a 1.01",
        "{\"a\":[1,2]}|test /a [2,1]",
        "{\"a\":[1,2]}|test /a [1]",
        "{\"a\":{\"b\":1}}|test /a {\"b\":1,\"c\":2}",
        "{\"a\":{\"b\":1}}|test /a {\"c\":1}",
        "{\"a\":{\"b\":[]}}|test /a {\"b\":{}}",
        "{\"a\":[1]}|test /a/00 1",
        "{\"a\":[1]}|test /a/-1 1",
        "{\"a\":\"b\"}|test /a \"B\"",
      })
  void operationThatTheRfcForbids_fails(String document, String patch) {
    assertThatThrownBy(() -> patched(new MemoryVtable(document), json(patch)))
        .isInstanceOf(PatchFailedException.class)
        .hasMessageStartingWith("operation 1 of the patch (");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "1",
        "[1]",
        "[{}]",
        "[{\"op\":\"add\"}]",
        "[{\"op\":\"add\",\"path\":\"/a\"}]",
        "[{\"op\":\"Add\",\"path\":\"/a\",\"value\":1}]",
        "[{\"op\":1,\"path\":\"\",\"value\":1}]",
        "[{\"op\":\"add\",\"path\":null,\"value\":1}]",
        "[{\"op\":\"test\",\"path\":\"\"}]",
        "[{\"op\":\"add\",\"path\":\"a\",\"value\":1}]",
        "[{\"op\":\"move\",\"path\":\"/a\"}]",
        "[{\"op\":\"add\",\"path\":\"/a~2\",\"value\":1}]",
        "[{\"op\":\"remove\",\"path\":\"a[0]\"}]",
        "[{\"op\":\"copy\",\"path\":\"/a\",\"from\":\"b\"}]",
        "[[]]",
        "[null]",
        "[{\"op\":\"replace\",\"path\":\"/a\"}]",
        "[{\"path\":\"/a\",\"value\":1}]"
      })
  void malformedPatch_isRefusedBeforeAnythingIsDone(String patch) {
    assertThatThrownBy(() -> JsonPatch.of(Json.readTree(patch)))
        .isInstanceOf(PatchFailedException.class);
  }

  @Test
  void membersUnknownToTheRfc_areIgnored() throws SQLException {
    String patch = "[{\"op\":\"add\",\"path\":\"/a\",\"value\":1,\"from\":5,\"x\":null}]";
    assertThat(patched(new MemoryVtable("{}"), patch).text()).isEqualTo("{\"a\": 1}");
  }

  @Test
  void emptyPatch_readsAndWritesNothing() throws SQLException {
    assertThat(patched(new MemoryVtable("{}"), "[]").calls).isEmpty();
  }

  @Test
  void failure_namesOperationAndPathButNoValue() {
    assertThatThrownBy(
            () ->
                patched(
                    new MemoryVtable("{\"a\":{\"b\":\"secret\"}}"),
                    json("add /c 1; test /a/b \"hidden\"")))
        .hasMessage(
            "operation 2 of the patch (test) failed at /a/b: the value is not the one expected");
  }

  @Test
  void missingDocument_canBeAddedButNotChanged() throws SQLException {
    assertThat(patched(new MemoryVtable(null), json("add  {\"a\":1}")).text())
        .isEqualTo("{\"a\": 1}");
    for (String patch : List.of("add /a 1", "replace  1", "remove ", "test  null", "copy  /a")) {
      assertThatThrownBy(() -> patched(new MemoryVtable(null), json(patch)))
          .isInstanceOf(PatchFailedException.class);
    }
  }

  @Test
  void removalOfTheWholeDocument_leavesNoDocument() throws SQLException {
    assertThat(patched(new MemoryVtable("[1]"), json("remove ")).text()).isNull();
  }

  @Test
  void copies_areLimited() throws SQLException {
    String twice = json("copy /a /b; copy /a /b");
    long size = 20;
    JsonPatch patch = JsonPatch.of(Json.readTree(twice));
    MemoryVtable vtable = new MemoryVtable("{\"a\":[1]}");
    StoredDocumentTarget target = new StoredDocumentTarget(NoConnection.INSTANCE, KEY, vtable);
    assertThatThrownBy(() -> patch.withCopyLimit(2 * size - 1).operations.apply(target))
        .isInstanceOf(PatchFailedException.class)
        .hasMessageStartingWith("operation 2 of the patch (copy) failed at /a: copies of the patch")
        .hasMessageContaining("add more than 39 bytes, its copy limit");
    patch.withCopyLimit(2 * size).operations.apply(target);
    assertThatThrownBy(() -> patch.withCopyLimit(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void patch_canBeAppliedTwice() throws SQLException {
    JsonPatch patch = JsonPatch.of(Json.readTree(json("add /a []; add /a/- {\"b\":1}")));
    for (int i = 0; i < 2; i++) {
      MemoryVtable vtable = new MemoryVtable("{}");
      patch.operations.apply(new StoredDocumentTarget(NoConnection.INSTANCE, KEY, vtable));
      assertThat(vtable.text()).isEqualTo("{\"a\": [{\"b\": 1}]}");
    }
  }
}
