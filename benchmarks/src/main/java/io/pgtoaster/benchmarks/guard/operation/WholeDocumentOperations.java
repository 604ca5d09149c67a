package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Documents.LARGE;
import static io.pgtoaster.benchmarks.guard.operation.Documents.SMALL;
import static io.pgtoaster.benchmarks.guard.operation.Documents.TREE;
import static io.pgtoaster.benchmarks.guard.operation.Documents.done;
import static io.pgtoaster.benchmarks.guard.operation.Documents.eachItsOwn;
import static io.pgtoaster.benchmarks.guard.operation.Documents.large;
import static io.pgtoaster.benchmarks.guard.operation.Documents.small;
import static io.pgtoaster.benchmarks.guard.operation.Documents.there;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Operations on whole documents. */
final class WholeDocumentOperations {
  private static final JsonNode SMALL_TREE = JsonMapper.shared().readTree(SMALL);
  private static final JsonNode MEDIUM_TREE = JsonMapper.shared().readTree(Documents.MEDIUM);

  private WholeDocumentOperations() {}

  static Stream<Operation> all() {
    return Stream.of(
        large("load as text", 5, (d, id, i) -> there(d.column.text(id))),
        large("load as a tree", 5, (d, id, i) -> there(d.column.load(id))),
        large(
            "load to a stream",
            5,
            (d, id, i) -> done(d.column.load(id, OutputStream.nullOutputStream()))),
        large("merge two members", 20, WholeDocumentOperations::merge),
        large("patch two places", 20, (d, id, i) -> d.column.patchJson(id, patch(i))),
        large("put a changed one", 4, (d, id, i) -> d.column.putJson(id, changed(i))),
        large(
            "put a changed stream",
            4,
            (d, id, i) -> d.column.putJson(id, new ByteArrayInputStream(utf8(changed(i))))),
        large("put a tree", 4, (d, id, i) -> d.column.put(id, TREE)),
        eachItsOwn("first put", 4, "", (d, id, i) -> d.column.putJson(id, LARGE)),
        small(
            "put a small one",
            20,
            (d, id, i) -> d.column.putJson(id, SMALL.replace(" cm", i + " cm"))),
        eachItsOwn(
            "insert a row", 4, "", (d, id, i) -> d.column.insertJson(Documents.NEW + id, LARGE)),
        eachItsOwn(
            "insert a small row",
            20,
            "",
            (d, id, i) -> d.column.insertJson(Documents.NEW + id, SMALL)),
        eachItsOwn("insert 20 rows", 4, "", (d, id, i) -> d.column.insertAll(twenty(id))),
        eachItsOwn(
            "insert each of 20 rows",
            4,
            "",
            (d, id, i) -> done(d.column.insertEach(twenty(id)).isEmpty())),
        eachItsOwn("clear", 4, LARGE, (d, id, i) -> d.column.clear(id)),
        large("lock", 10, (d, id, i) -> d.inTransaction(() -> d.column.lock(id))),
        eachItsOwn(
            "compact after 20 inserts",
            2,
            LARGE,
            WholeDocumentOperations::grow,
            (d, id, i) -> d.column.compact(id)),
        large("stat", 5, (d, id, i) -> there(d.column.stat(id))),
        large("verify", 3, (d, id, i) -> done(d.column.verify(id).isEmpty())));
  }

  /** Returns documents of two kinds: half of them stay in their rows, the others are split. */
  private static Map<Long, JsonNode> twenty(long id) {
    Map<Long, JsonNode> documents = new TreeMap<>();
    for (int i = 0; i < 20; i++) {
      documents.put(Documents.NEW * (id + 1) + i, i % 2 == 0 ? SMALL_TREE : MEDIUM_TREE);
    }
    return documents;
  }

  /** Merges a patch that is the same in each run, including the order of its members. */
  static void merge(Documents documents, long id, int i) {
    Map<String, Object> patch = new TreeMap<>(Map.of("height", "1" + i + " cm", "born", i));
    documents.column.merge(id, patch);
  }

  private static String patch(int i) {
    return """
        [{"op": "replace", "path": "/height", "value": "1%d cm"},
         {"op": "add", "path": "/roles/-", "value": {"title": "%s"}}]
        """
        .formatted(i, Documents.words(i));
  }

  private static String changed(int i) {
    return LARGE.replace(" cm", i + " cm");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Leaves a document in a form that differs from that of a newly stored document. */
  private static void grow(Documents documents, long id, int i) {
    for (int n = 0; n < 20; n++) {
      documents.column.at(id, Documents.element(n)).insert(Documents.newElement(n));
    }
  }
}
