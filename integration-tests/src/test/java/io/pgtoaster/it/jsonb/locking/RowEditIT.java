package io.pgtoaster.it.jsonb.locking;

import static io.pgtoaster.it.kit.Session.doing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Plan;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Recorder.Statement;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Session.Step;
import io.pgtoaster.it.kit.Thinned;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;
import tools.jackson.databind.node.NullNode;

/**
 * The handle expects a value in the owner's row, because the previous values were there. Edits have
 * the same result as without this expectation, wherever the value is.
 */
class RowEditIT extends InterleavingSuite {
  private static final String LONG = Documents.words(3, 3_000);
  private static final String FILLER = ", \"filler\": \"" + LONG + "\"";

  /** It runs only in plain SQL, because the extension has no such expectations. */
  static Stream<Arguments> specs() {
    return Plan.inTurn(all().filter(a -> a.get()[1] == Executors.PLAIN_SQL).toList()).stream();
  }

  /** Documents with the member "v" in different places, or without it. */
  private static List<String> documents() {
    List<String> documents = new ArrayList<>();
    for (String value :
        List.of(
            "7",
            "null",
            "\"short\"",
            "{\"w\": 1}",
            "{\"$pgtoaster\": 5}",
            "{\"$pgtoaster\": [5], \"w\": 3}",
            "[1, 2]",
            "{\"w\": {\"z\": 2}, \"long\": \"" + LONG + "\"}",
            "\"" + LONG + "\"")) {
      documents.add("{\"v\": " + value + "}");
      documents.add("{\"v\": " + value + FILLER + "}");
    }
    documents.add("{\"u\": 1}");
    documents.add("{\"u\": 1" + FILLER + "}");
    documents.add("{\"$pgtoaster\": [5], \"v\": 8}");
    documents.add("{\"full\": \"" + Documents.words(4, 1_850) + "\", \"v\": 1}");
    documents.add("{\"full\": \"" + Documents.words(4, 1_850) + "\", \"v\": [1]}");
    documents.add("[{\"v\": 1}]");
    documents.add("\"v\"");
    documents.add("5");
    documents.add(manyMembers());
    return documents;
  }

  /** Returns a document with so many members that most of them are in a branch. */
  private static String manyMembers() {
    StringBuilder text = new StringBuilder("{\"v\": 1");
    for (int i = 0; i < 500; i++) {
      text.append(", \"member").append(i).append("\": ").append(i);
    }
    return text.append('}').toString();
  }

  @FunctionalInterface
  private interface Edit {
    Object on(DocumentColumn documents, Object key);
  }

  private static List<Edit> edits(String path) {
    String longer = Documents.words(5, 400);
    return List.of(
        (d, key) -> done(() -> d.at(key, path).set("x")),
        (d, key) -> done(() -> d.at(key, path).set(12345)),
        (d, key) -> done(() -> d.at(key, path).set(NullNode.getInstance())),
        (d, key) -> done(() -> d.at(key, path).set(longer)),
        (d, key) -> d.at(key, path).increment(new BigDecimal("0.50")),
        (d, key) -> d.at(key, path).increment(1_000_000),
        (d, key) -> d.at(key, path).replaceIf(7, "seven"),
        (d, key) -> d.at(key, path).replaceIf(null, "not null"),
        (d, key) -> d.at(key, path).setIfAbsent("new"),
        (d, key) -> done(() -> d.at(key, path).append("x", 2.50)),
        (d, key) -> done(() -> d.at(key, path).append(Map.of("$pgtoaster", List.of(5)))),
        (d, key) -> done(() -> d.at(key, path).append(longer)),
        (d, key) -> done(() -> d.at(key, path).append()));
  }

  private static boolean done(Runnable edit) {
    edit.run();
    return true;
  }

  private DocumentColumn handle() {
    return PgToaster.create(fx().pool()).documents("item", "doc");
  }

  /** Creates a document in which the path ends in the row. */
  private Object example(String path) {
    StringBuilder json = new StringBuilder("0");
    List<String> steps = DocumentPath.parse(path).steps();
    for (int i = steps.size() - 1; i >= 0; i--) {
      json.insert(0, "{\"" + steps.get(i) + "\": ").append('}');
    }
    return fx().row(json.toString());
  }

  /** Makes the handle expect that the path ends in the row, even after a wrong guess. */
  private static DocumentColumn expect(DocumentColumn d, Object example, String path) {
    for (int i = 0; i < 16; i++) {
      d.at(example, path).set(i);
    }
    return d;
  }

  private DocumentColumn expecting(String path) {
    return expect(handle(), example(path), path);
  }

  private static Object result(Edit edit, DocumentColumn documents, Object key) {
    Object[] result = new Object[1];
    Throwable thrown = catchThrowable(() -> result[0] = edit.on(documents, key));
    return thrown == null ? String.valueOf(result[0]) : thrown.getClass();
  }

  @Test
  void editsOfAllDocuments_matchPlainJsonb() {
    DocumentColumn plain = plain();
    DocumentColumn d = handle();
    int first = 0;
    for (String path : List.of("v", "v.w", "v.w.z", "member300")) {
      Object example = example(path);
      for (String json : documents()) {
        Thinned cases = new Thinned(first++);
        for (Edit edit : edits(path)) {
          if (!cases.takes()) {
            continue;
          }
          Object key = fx().row(json);
          plain.putJson(key, json);
          assertThat(result(edit, expect(d, example, path), key))
              .as("%s of %.60s", path, json)
              .isEqualTo(result(edit, plain, key));
          fx().assertDocument(key, plain.text(key).orElseThrow());
        }
      }
    }
  }

  @Test
  void documentsWrittenWithPlainSql_areEditedLikePlainJsonb() {
    String large = "{\"v\": 1, \"u\": {\"$pgtoaster\": 5}, \"filler\": \"" + LONG + "\"}";
    for (String path : List.of("v", "u.w")) {
      for (Edit edit : edits(path)) {
        Object key = fx().row();
        fx().run(
                "UPDATE item SET doc = '" + large + "', plain = '" + large + "'" + fx().where(key));
        assertThat(result(edit, expecting(path), key)).isEqualTo(result(edit, plain(), key));
        fx().assertDocument(key, plain().text(key).orElseThrow());
      }
    }
  }

  @Test
  void rowWithoutADocument_andMissingRow_areReported() {
    DocumentColumn d = expecting("v");
    Expect.refused(PathNotFoundException.class, () -> d.at(fx().row(), "v").set(1));
    Expect.refused(PathNotFoundException.class, () -> d.at(fx().row(), "v").increment(1));
    Object unknown = fx().unknownKey();
    assertThat(catchThrowable(() -> expecting("v").at(unknown, "v").set(1)))
        .isInstanceOf(RowNotFoundException.class);
  }

  @Test
  void editInTheRow_takesOneStatement() {
    for (String rest : List.of("}", FILLER + "}")) {
      Object key = fx().row("{\"v\": 1, \"list\": [1]" + rest);
      Recorder recorder = new Recorder();
      DocumentColumn d = PgToaster.create(recorder.record(fx().pool())).documents("item", "doc");
      expect(expect(d, example("v"), "v"), example("list"), "list");
      recorder.clear();
      d.at(key, "v").set(2);
      assertThat(d.at(key, "v").increment(1)).isEqualTo(BigDecimal.valueOf(3));
      d.at(key, "list").append(2, 3);
      assertThat(recorder.statements())
          .hasSize(3)
          .extracting(Statement::sql)
          .allSatisfy(sql -> assertThat(sql).startsWith("/* pgtoaster */ UPDATE"));
      fx().assertDocument(key, "{\"v\": 3, \"list\": [1, 2, 3]" + rest);
    }
  }

  @Test
  void documentsThatAreArrays_growInTheRow() {
    Object key = fx().row("[0]");
    DocumentColumn d = handle();
    for (int i = 1; i < 5; i++) {
      d.at(key, "").append(i);
    }
    fx().assertDocument(key, "[0, 1, 2, 3, 4]");
  }

  @Test
  void copiedStub_isRefused() {
    Object original = fx().row("{\"v\": 1, \"list\": [1]" + FILLER + "}");
    Object copy = fx().row();
    fx().runWithoutTriggers(
            "UPDATE item SET doc = (SELECT doc FROM item%s)%s"
                .formatted(fx().where(original), fx().where(copy)));
    for (Edit edit : edits("v").subList(0, 6)) {
      DocumentColumn d = expecting("v");
      Expect.failed(DocumentCorruptException.class, () -> edit.on(d, copy));
    }
    DocumentColumn d = expecting("list");
    Expect.failed(DocumentCorruptException.class, () -> d.at(copy, "list").append(2));
    fx().own().clear(copy);
    fx().assertDocument(original, "{\"v\": 1, \"list\": [1]" + FILLER + "}");
  }

  private Session expecting(String name, int isolation) throws Exception {
    return expecting(session(name, isolation));
  }

  private Session expecting(Session session) throws Exception {
    Object example = example("v");
    session.continues(d -> expect(d, example, "v"));
    return session.commits();
  }

  @Test
  void secondOfTwoEdits_waits_andIsAppliedAfterTheFirst() throws Exception {
    for (String json : List.of("{\"v\": 1}", "{\"v\": 1" + FILLER + "}")) {
      Object key = fx().row(json);
      Session a = expecting("A", READ_COMMITTED);
      Session b = expecting("B", READ_COMMITTED);
      a.runs(d -> d.at(key, "v").increment(1));
      Step<BigDecimal> second = b.waits(d -> d.at(key, "v").increment(10), a);
      a.commits();
      assertThat(second.continues()).isEqualTo(BigDecimal.valueOf(12));
      b.commits();
      b.runs(doing(d -> d.at(key, "v").set(20)));
      Step<Boolean> expected = a.waits(d -> d.at(key, "v").replaceIf(12, 13), b);
      b.commits();
      assertThat(expected.continues()).isFalse();
      a.commits();
      a.runs(doing(d -> d.at(key, "u").set(1)));
      Step<Boolean> beside = b.waits(d -> d.at(key, "v").replaceIf(20, 21), a);
      a.commits();
      assertThat(beside.continues()).isTrue();
      b.commits();
      fx().assertDocument(key, json.replace("\"v\": 1", "\"v\": 21, \"u\": 1"));
    }
  }

  @Test
  void valueMovedOutDuringTheWait_isChangedInItsNewPlace() throws Exception {
    Session a = expecting("A", READ_COMMITTED);
    Session b = expecting("B", READ_COMMITTED);
    String many = manyMembers().replace("\"v\"", "\"w\"").replace("\"member30\"", "\"v\"");
    for (String json : List.of("{\"v\": \"" + LONG + "\"}", "{\"v\": 1" + FILLER + "}", many)) {
      Object key = fx().row("{\"v\": 1}");
      expecting(b);
      a.runs(d -> d.putJson(key, json));
      Future<Boolean> second =
          Wait.start(() -> b.continues(doing(d -> d.at(key, "v").set("by B"))));
      assertThat(b.settled(second)).isFalse();
      a.commits();
      assertThat(Wait.get(second)).isTrue();
      b.commits();
      assertThat(fx().own().at(key, "v").text()).contains("\"by B\"");
      assertThat(fx().own().at(key, "").size().orElseThrow()).isEqualTo(Json.readTree(json).size());
    }
  }

  @Test
  void changedRow_isASerializationFailureAtRepeatableRead() throws Exception {
    for (int isolation : new int[] {REPEATABLE_READ, SERIALIZABLE}) {
      Object key = fx().row("{\"v\": 1}");
      Session a = expecting("A", READ_COMMITTED);
      Session b = expecting("B", isolation).looks();
      a.runs(d -> d.at(key, "v").increment(1));
      Step<BigDecimal> second = b.waits(d -> d.at(key, "v").increment(10), a);
      a.commits();
      assertThat(second.fails(ConcurrencyException.class).sqlState()).isEqualTo("40001");
      b.rollsBack();
      fx().assertDocument(key, "{\"v\": 2}");
    }
  }
}
