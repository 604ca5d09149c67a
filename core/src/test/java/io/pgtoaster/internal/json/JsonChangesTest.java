package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Expected values are results of PostgreSQL 15. Slashes separate the steps of a path. */
class JsonChangesTest {
  private static final String NOT_INTEGER = "!integer";

  private static List<String> steps(String path) {
    return path.isEmpty() ? List.of() : Arrays.asList(path.split("/", -1));
  }

  private static JsonNode tree(String text) {
    return Json.readTree(text);
  }

  private interface Change {
    JsonChanges.Result on(JsonNode root);
  }

  private static String outcome(String document, Change change) {
    JsonNode root = tree(document);
    String before = JsonbText.text(root);
    try {
      JsonChanges.Result result = change.on(root);
      String after = JsonbText.text(result.root());
      assertThat(result.applied()).as(after).isEqualTo(!after.equals(before));
      return after;
    } catch (InvalidPathException e) {
      assertThat(JsonbText.text(root)).isEqualTo(before);
      return e.getMessage().contains("not an integer") ? NOT_INTEGER : "!" + e.getMessage();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "[0,1,2];0;[9, 1, 2]",
        "[0,1,2];-1;[0, 1, 9]",
        "[0,1,2];-3;[9, 1, 2]",
        "[0,1,2];-4;[9, 0, 1, 2]",
        "[0,1,2];3;[0, 1, 2, 9]",
        "[0,1,2];7;[0, 1, 2, 9]",
        "[0,1,2]; 1;[0, 9, 2]",
        "[0,1,2];\t1;[0, 9, 2]",
        "[0,1,2];+1;[0, 9, 2]",
        "[0,1,2]; -1;[0, 1, 9]",
        "[0,1,2];-0;[9, 1, 2]",
        "[0,1,2];00;[9, 1, 2]",
        "[0,1];000000000000000000000000000000000001;[0, 9]",
        "[0,1];2147483647;[0, 1, 9]",
        "[0,1];-2147483648;[9, 0, 1]",
        "[0,1];2147483648;!integer",
        "[0,1];-2147483649;!integer",
        "[0,1];99999999999999999999;!integer",
        "[0,1];1 ;!integer",
        "[0,1];- 1;!integer",
        "[0,1];+-1;!integer",
        "[0,1];+;!integer",
        "[0,1];0x1;!integer",
        "[0,1];\u0661;!integer",
        "[0,1];\u00a01;!integer",
        "[];a;!integer",
        "[];5;[9]",
        "[];-5;[9]",
        "[];5/a;[]",
        "[];a/5;!integer",
        "[1];;[1]",
        "[[0,1],2];5/x;[[0, 1], 2]",
        "[[0,1],2];0/x;!integer",
        "[[0,1],2];1/x;[[0, 1], 2]",
        "[[0,1],2];x/5;!integer",
        "[{\"a\":1}];-1/b;[{\"a\": 1, \"b\": 9}]",
        "{\"a\":[0,1]};a/a/b;!integer",
        "{\"a\":[]};a/-3;{\"a\": [9]}",
        "{\"a\":[1]};a/-3/x;{\"a\": [1]}",
        "{\"a\":[]};a/x/y;!integer",
        "{\"a\":5};a/b;{\"a\": 5}",
        "{\"a\":5};b/b;{\"a\": 5}",
        "{};b/b;{}",
        "{};b;{\"b\": 9}",
        "{\"0\":1};0;{\"0\": 9}",
        "5;a;!a scalar has no members or elements to change"
      })
  void set_matchesJsonbSet(String document, String path, String expected) {
    List<String> steps = steps(path == null ? "" : path);
    assertThat(outcome(document, root -> JsonChanges.set(root, steps, tree("9"), true, false)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[];a;[]",
        "[];7;[]",
        "[1];-7;[1]",
        "[1];7;[1]",
        "[1];0;[9]",
        "{};b;{}",
        "{\"a\":[]};a/b;!integer",
        "{\"a\":[]};a/0;{\"a\": []}",
        "{\"a\":1};a;{\"a\": 9}",
      })
  void setWithoutCreateMissing_createsNothing(String document, String path, String expected) {
    assertThat(
            outcome(document, root -> JsonChanges.set(root, steps(path), tree("9"), false, false)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{};a;{\"a\": 9}",
        "{};a/0/b;{\"a\": [{\"b\": 9}]}",
        "{\"a\":{\"b\":1}};a/b;{\"a\": {\"b\": 9}}",
        "{\"a\":{\"b\":1}};a/b/c;{\"a\": {\"b\": 1}}",
        "{\"a\":[1]};a/7/b;{\"a\": [1, {\"b\": 9}]}",
        "{\"a\":[1]};a/-7/b;{\"a\": [{\"b\": 9}, 1]}",
        "{\"a\":[1]};a/b/c;!integer",
        "[];1234567890/1;[[9]]",
        "{};1/123456789/1;{\"1\": [[9]]}",
        "{};1/1234567890/1;{\"1\": {\"1234567890\": [9]}}",
        "5;a/b;!a scalar has no members or elements to change"
      })
  void setWithParents_createsThem(String document, String path, String expected) {
    assertThat(outcome(document, root -> JsonChanges.set(root, steps(path), tree("9"), true, true)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[0,1,2];0;[9, 0, 1, 2];[0, 9, 1, 2]",
        "[0,1,2];-1;[0, 1, 9, 2];[0, 1, 2, 9]",
        "[0,1,2];-3;[9, 0, 1, 2];[0, 9, 1, 2]",
        "[0,1,2];-4;[9, 0, 1, 2];[9, 0, 1, 2]",
        "[0,1,2];3;[0, 1, 2, 9];[0, 1, 2, 9]",
        "[0,1,2];7;[0, 1, 2, 9];[0, 1, 2, 9]",
        "[0,1,2];2;[0, 1, 9, 2];[0, 1, 2, 9]",
        "[];7;[9];[9]",
        "[];x;!integer;!integer",
        "[[]];7/0;[[]];[[]]",
        "[5];0/0;[5];[5]",
        "{\"x\":[]};x/y/z;!integer;!integer",
        "{\"a\":1};b;{\"a\": 1, \"b\": 9};{\"a\": 1, \"b\": 9}",
        "{\"a\":1};b/c;{\"a\": 1};{\"a\": 1}",
        "{\"a\":1};a/c;{\"a\": 1};{\"a\": 1}",
      })
  void insert_matchesJsonbInsert(String document, String path, String before, String after) {
    assertThat(outcome(document, root -> JsonChanges.insert(root, steps(path), tree("9"), false)))
        .isEqualTo(before);
    assertThat(outcome(document, root -> JsonChanges.insert(root, steps(path), tree("9"), true)))
        .isEqualTo(after);
  }

  @Test
  void insertOfAnExistingKey_isRefused() {
    assertThat(
            outcome(
                "{\"a\":{\"b\":1}}",
                root -> JsonChanges.insert(root, steps("a/b"), tree("9"), true)))
        .startsWith("!the object already has a member with that key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[0,1,2];1;[0, 2]",
        "[0,1,2];-1;[0, 1]",
        "[0,1,2];-4;[0, 1, 2]",
        "[0,1,2];3;[0, 1, 2]",
        "[0,1,2];a;!integer",
        "[];a;[]",
        "{\"a\":[]};a/b;!integer",
        "{};a/b;{}",
        "[[1]];0/x;!integer",
        "[[1]];5/x;[[1]]",
        "[1];0/x;[1]",
        "{\"a\":5};a/b;{\"a\": 5}",
        "{\"a\":[1]};a/0;{\"a\": []}",
        "{\"a\":{\"b\":1}};a/b;{\"a\": {}}",
        "5;a;!a scalar has no members or elements to change",
      })
  void remove_matchesTheOperator(String document, String path, String expected) {
    assertThat(outcome(document, root -> JsonChanges.remove(root, steps(path))))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[1];[2, 3];[1, 2, 3]",
        "[];[];[]",
        "[];[{}];[{}]",
        "{\"a\":1};[2];",
        "1;[2];",
        "null;[];",
      })
  void append_addsToArraysOnly(String before, String elements, @Nullable String expected) {
    JsonChanges.Result result =
        JsonChanges.append(
            tree("{\"x\": [0, " + before + "]}"), steps("x/-1"), (ArrayNode) tree(elements));
    assertThat(result.applied()).isEqualTo(expected != null);
    String after = expected == null ? JsonbText.text(tree(before)) : expected;
    assertThat(JsonbText.text(result.root())).isEqualTo("{\"x\": [0, " + after + "]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"a\":1};{\"a\":2,\"b\":3};{\"a\": 2, \"b\": 3}",
        "{};{};{}",
        "[1];{\"a\":2};",
        "1;{\"a\":1};",
      })
  void setMembers_changesObjectsOnly(String before, String members, @Nullable String expected) {
    JsonChanges.Result result =
        JsonChanges.setMembers(tree(before), List.of(), (ObjectNode) tree(members));
    assertThat(result.applied()).isEqualTo(expected != null);
    String after = expected == null ? JsonbText.text(tree(before)) : expected;
    assertThat(JsonbText.text(result.root())).isEqualTo(after);
  }

  @Test
  void appendOfTheArrayToItself_terminates() {
    ArrayNode array = (ArrayNode) tree("[1]");
    assertThat(JsonbText.text(JsonChanges.append(array, List.of(), array).root()))
        .isEqualTo("[1, 1]");
    ObjectNode object = (ObjectNode) tree("{\"a\": 1}");
    assertThat(JsonbText.text(JsonChanges.setMembers(object, List.of(), object).root()))
        .isEqualTo("{\"a\": 1}");
  }

  @Test
  void appendToNothing_changesNothing() {
    assertThat(outcome("{}", root -> JsonChanges.append(root, steps("a"), (ArrayNode) tree("[1]"))))
        .isEqualTo("{}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"n\":1.10};n;1;2.10",
        "{\"n\":1.1};n;0.90;2.00",
        "{\"n\":0.00};n;1E-1;0.10",
        "{\"n\":1e2};n;1.50;101.50",
        "{\"n\":1};n;1e2;101",
        "{\"n\":9223372036854775807};n;1;9223372036854775808",
        "{\"n\":1};m;2.50;2.50",
        "[7];-1;-8;-1",
      })
  void increment_isExactAndHasTheLargerScale(
      String document, String path, BigDecimal delta, String expected) {
    JsonChanges.Result result = JsonChanges.increment(tree(document), steps(path), delta);
    assertThat(result.applied()).isTrue();
    assertThat(result.number()).isEqualTo(new BigDecimal(expected));
    assertThat(JsonbText.text(JsonChanges.get(result.root(), steps(path)))).isEqualTo(expected);
  }

  @Test
  void incrementOfTheRoot_returnsANewRoot() {
    assertThat(JsonChanges.increment(tree("1"), List.of(), BigDecimal.ONE).root())
        .isEqualTo(tree("2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"{};a/b", "[1];5", "{\"a\":1};a/b"})
  void incrementWithoutAnObject_changesNothing(String document, String path) {
    assertThat(JsonChanges.increment(tree(document), steps(path), BigDecimal.ONE).applied())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "\"1\"", "true", "[1]", "{}"})
  void incrementOfAnotherType_isRefused(String value) {
    JsonNode root = tree("{\"a\": " + value + "}");
    assertThatThrownBy(() -> JsonChanges.increment(root, steps("a"), BigDecimal.ONE))
        .isInstanceOf(InvalidPathException.class);
  }

  @Test
  void incrementBeyondTheRangeOfNumeric_isRefused() {
    JsonNode root = tree("{\"a\": " + "9".repeat(131_072) + "}");
    assertThatThrownBy(() -> JsonChanges.increment(root, steps("a"), BigDecimal.ONE))
        .isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(
            () -> JsonChanges.increment(root, steps("a"), new BigDecimal("1e1000000000")))
        .isInstanceOf(InvalidJsonException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "[0,1];0;0",
        "[0,1];-1;1",
        "[0,1];+1;1",
        "[0,1]; 1;1",
        "[0,1];01;1",
        "[0,1];1 ;",
        "[0,1];a;",
        "[0,1];-3;",
        "[0,1];99999999999999;",
        "[0,1];-2147483648;",
        "5;0;",
        "5;-1;",
        "{\"0\":1};0;1",
        "{\"a\":5};a/0;",
        "{\"a\":null};a;null",
        "[[1]];0/0;1",
        "[[1]];0/0/0;",
        "[[1]];0/x;",
      })
  void get_matchesTheOperator(String document, String path, String expected) {
    JsonNode found = JsonChanges.get(tree(document), steps(path));
    assertThat(found == null ? null : JsonbText.text(found)).isEqualTo(expected);
  }
}
