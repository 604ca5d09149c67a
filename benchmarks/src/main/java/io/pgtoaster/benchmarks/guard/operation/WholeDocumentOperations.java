package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Documents.LARGE;
import static io.pgtoaster.benchmarks.guard.operation.Documents.SMALL;
import static io.pgtoaster.benchmarks.guard.operation.Documents.TREE;
import static io.pgtoaster.benchmarks.guard.operation.Documents.done;
import static io.pgtoaster.benchmarks.guard.operation.Documents.large;
import static io.pgtoaster.benchmarks.guard.operation.Documents.own;
import static io.pgtoaster.benchmarks.guard.operation.Documents.small;
import static io.pgtoaster.benchmarks.guard.operation.Documents.there;
import static io.pgtoaster.benchmarks.guard.operation.Rows.NEW;

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
        large("load as text", 5, d -> there(d.column.text(d.id))),
        large("load as a tree", 5, d -> there(d.column.load(d.id))),
        large(
            "load to a stream", 5, d -> done(d.column.load(d.id, OutputStream.nullOutputStream()))),
        large("merge two members", 20, WholeDocumentOperations::merge),
        large("patch two places", 20, d -> d.column.patchJson(d.id, patch(d))),
        large("put a changed one", 4, d -> d.column.putJson(d.id, changed(LARGE, d))),
        large("put a changed stream", 4, WholeDocumentOperations::putStream),
        large("put a tree", 4, d -> d.column.put(d.id, TREE)),
        own("first put", 4, "", d -> d.column.putJson(d.id, LARGE)),
        small("put a small one", d -> d.column.putJson(d.id, changed(SMALL, d))),
        own("insert a row", 4, "", d -> d.column.insertJson(NEW + d.id, LARGE)),
        own("insert a small row", 20, "", d -> d.column.insertJson(NEW + d.id, SMALL)),
        own("insert 20 rows", 4, "", d -> d.column.insertAll(twenty(d.id))),
        own(
            "insert each of 20 rows",
            4,
            "",
            d -> done(d.column.insertEach(twenty(d.id)).isEmpty())),
        own("clear", 4, LARGE, d -> d.column.clear(d.id)),
        large("lock", 10, d -> d.inTransaction(() -> d.column.lock(d.id))),
        own(
            "compact after 20 inserts",
            2,
            LARGE,
            WholeDocumentOperations::grow,
            d -> d.column.compact(d.id)),
        large("stat", 5, d -> there(d.column.stat(d.id))),
        large("verify", 3, d -> done(d.column.verify(d.id).isEmpty())));
  }

  /** Returns documents of two kinds: half of them stay in their rows, the others are split. */
  private static Map<Long, JsonNode> twenty(long id) {
    Map<Long, JsonNode> documents = new TreeMap<>();
    for (int i = 0; i < 20; i++) {
      documents.put(NEW * (id + 1) + i, i % 2 == 0 ? SMALL_TREE : MEDIUM_TREE);
    }
    return documents;
  }

  /** Merges a patch that is the same in each run, including the order of its members. */
  static void merge(Documents documents) {
    Map<String, Object> patch =
        new TreeMap<>(Map.of("height", documents.height(), "born", documents.i));
    documents.column.merge(documents.id, patch);
  }

  private static String patch(Documents documents) {
    return """
        [{"op": "replace", "path": "/height", "value": "%s"},
         {"op": "add", "path": "/roles/-", "value": {"title": "%s"}}]
        """
        .formatted(documents.height(), documents.words());
  }

  private static String changed(String text, Documents documents) {
    return text.replace(" cm", documents.i + " cm");
  }

  private static void putStream(Documents documents) {
    byte[] utf8 = changed(LARGE, documents).getBytes(StandardCharsets.UTF_8);
    documents.column.putJson(documents.id, new ByteArrayInputStream(utf8));
  }

  /** Leaves a document in a form that differs from that of a newly stored document. */
  private static void grow(Documents documents) {
    for (documents.i = 0; documents.i < 20; documents.i++) {
      documents.element("").insert(documents.newElement());
    }
  }
}
