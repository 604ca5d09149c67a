package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Documents.at;
import static io.pgtoaster.benchmarks.guard.operation.Documents.done;
import static io.pgtoaster.benchmarks.guard.operation.Documents.large;
import static io.pgtoaster.benchmarks.guard.operation.Documents.many;
import static io.pgtoaster.benchmarks.guard.operation.Documents.own;
import static io.pgtoaster.benchmarks.guard.operation.Documents.small;
import static io.pgtoaster.benchmarks.guard.operation.Documents.there;
import static io.pgtoaster.benchmarks.guard.operation.Rows.FIRST_20;
import static java.util.stream.Collectors.toMap;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonRange;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.jsonb.JsonIndex;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Operations on values at paths of documents. */
final class DocumentOperations {
  private static final DocumentPath ROLES = DocumentPath.of("roles");

  /** A title that each document contains. */
  private static final String TITLE =
      JsonMapper.shared().readTree(Documents.MEDIUM).at("/roles/50/title").stringValue();

  private static final JsonSearch SEARCH =
      JsonSearch.contains(Map.of("roles", List.of(Map.of("title", TITLE))));
  private static final JsonSearch RANKED = JsonSearch.text(TITLE);
  private static final JsonSearch YEARS =
      JsonSearch.range(JsonRange.of("roles[*].year")).withLimit(20);

  private DocumentOperations() {}

  static Stream<Operation> all() {
    return Stream.of(reads(), edits(), sql()).flatMap(s -> s);
  }

  private static Stream<Operation> reads() {
    return Stream.of(
        large("get a short member", 20, d -> there(d.value("height").text())),
        large("get a leaf", 20, DocumentOperations::getLeaf),
        large("get an element", 20, d -> there(d.element("").get())),
        large("slice of 20 elements", 20, d -> there(d.roles().slice(at(d.i), at(d.i) + 20))),
        large("exists", 20, d -> done(d.title().exists())),
        large("type", 20, d -> there(d.title().type())),
        large("size of the array", 20, d -> done(d.roles().size().isPresent())),
        large("keys of an element", 20, d -> there(d.element("").keys())),
        large(
            "page of keys",
            20,
            d -> there(d.column.at(d.id, DocumentPath.root()).keys("height", 2))),
        large("read the array as a stream", 5, DocumentOperations::readStream),
        many("get a leaf of 20", d -> {}, d -> all(d.column.getAll(FIRST_20, path(d)).size())),
        many(
            "get a leaf of 20 as text",
            d -> {},
            d -> all(d.column.textAll(FIRST_20, path(d)).size())),
        many(
            "find 20 by a value",
            d -> index(d, JsonIndex.containment()),
            d -> all(d.column.search(SEARCH).size())),
        many(
            "where 20 have a value",
            d -> index(d, JsonIndex.containment()),
            d -> all(d.column.searchMatches(SEARCH).size())),
        many(
            "rank 20 by a word",
            d -> index(d, JsonIndex.text("simple")),
            d -> all(d.column.searchRanked(RANKED).size())),
        many(
            "find 20 in order",
            d -> index(d, JsonIndex.path("roles[*].year")),
            d -> all(d.column.searchOrdered(YEARS, JsonOrder.ascending("roles[*].year")).size())));
  }

  private static Stream<Operation> edits() {
    return Stream.of(
        small("set in a small one", d -> d.value("height").set(d.height())),
        large("set a short member", 20, d -> d.value("height").set(d.height())),
        large("set a leaf", 20, DocumentOperations::setLeaf),
        large("insert an element", 20, d -> d.element("").insert(d.newElement())),
        large("insert after an element", 20, d -> d.element("").insertAfter(d.newElement())),
        large("append an element", 20, d -> d.roles().append(d.newElement())),
        large("append one, keep 900", 20, d -> d.roles().appendKeepingLast(900, d.newElement())),
        own("keep 20 of 1,000 elements", 5, Documents.LARGE, d -> d.roles().keepLast(20)),
        large("remove an element", 20, d -> done(d.element("").remove())),
        large("replace a leaf if equal", 20, DocumentOperations::replaceIf),
        large("set a leaf if absent", 20, d -> done(d.element(".rating").setIfAbsent(d.i))),
        large("remove a leaf if equal", 20, DocumentOperations::removeIf),
        large("increment", 20, d -> d.element(".year").increment(1)),
        large("three edits at once", 20, d -> d.column.edit(d.id, threeEdits(d))),
        many("set a leaf in 20", d -> {}, DocumentOperations::editAll),
        many("append an element to 20", d -> {}, d -> d.column.appendAll(ROLES, elements(d))),
        many("append to each of 20", d -> {}, DocumentOperations::appendEach),
        many("set a leaf in 20 of 21", d -> {}, DocumentOperations::editEach));
  }

  private static Stream<Operation> sql() {
    return Stream.of(
        large("get a leaf in SQL", 20, d -> d.query("pgtoaster.get_text(data, %s)")).alone(),
        large("set a leaf in SQL", 20, d -> d.update("pgtoaster.set(data, %s, %s)")).alone(),
        transparent("get a leaf by operators", d -> d.query("data #>> %s")),
        transparent("set a leaf by operators", d -> d.update("jsonb_set(data, %s, %s)")));
  }

  /** Returns an operation in plain SQL that does not use this library. */
  private static Operation transparent(String name, Rows.Call<Documents> call) {
    Operation.Opener opener = large(name, 20, call).opener();
    return new Operation(
        "document: " + name,
        20,
        Kind.EXTENSION,
        true,
        (w, rounds) -> {
          Operation.Subject subject = opener.open(w, rounds);
          Sql.run(w.session(), "SET pgtoaster.transparent = on");
          return subject;
        });
  }

  private static void index(Documents documents, JsonIndex index) {
    documents
        .workplace
        .toaster()
        .catalog()
        .createIndex(documents.name, index.withFastUpdate(false));
  }

  private static void all(int count) {
    Rows.check(count, FIRST_20.size());
  }

  private static DocumentPath path(Documents documents) {
    return DocumentPath.parse("roles[" + documents.i * 37 % 100 + "].title");
  }

  private static Map<Long, List<JsonEdit>> edits(Documents documents, String value) {
    JsonEdit edit =
        new JsonEdit.Set(path(documents), JsonNodeFactory.instance.stringNode(value), true);
    return new TreeMap<>(FIRST_20.stream().collect(toMap(key -> key, key -> List.of(edit))));
  }

  private static void editAll(Documents documents) {
    documents.column.editAll(edits(documents, "T" + documents.i));
  }

  /** One row does not exist. */
  private static void editEach(Documents documents) {
    Map<Long, List<JsonEdit>> edits = edits(documents, "E" + documents.i);
    edits.put(Rows.NEW, edits.values().iterator().next());
    done(documents.column.editEach(edits).size() == 1);
  }

  private static Map<Long, Object> elements(Documents documents) {
    return FIRST_20.stream().collect(toMap(key -> key, key -> documents.newElement()));
  }

  private static void appendEach(Documents documents) {
    done(documents.column.appendEach(ROLES, elements(documents)).isEmpty());
  }

  static void getLeaf(Documents documents) {
    there(documents.title().text());
  }

  static void setLeaf(Documents documents) {
    documents.title().set(documents.words());
  }

  private static void replaceIf(Documents documents) {
    done(documents.title().replaceIf(documents.stored("title"), documents.words()));
  }

  private static void removeIf(Documents documents) {
    done(documents.element(".year").removeIf(documents.stored("year")));
  }

  private static List<JsonEdit> threeEdits(Documents documents) {
    ArrayNode added = JsonNodeFactory.instance.arrayNode().add(documents.words());
    DocumentPath title = DocumentPath.parse(Documents.element(documents.i) + ".title");
    return List.of(
        new JsonEdit.Set(DocumentPath.of("height"), added.get(0), true),
        new JsonEdit.Set(title, added.get(0), true),
        new JsonEdit.Append(ROLES, added));
  }

  private static void readStream(Documents documents) throws Exception {
    try (InputStream in = documents.roles().stream().orElseThrow()) {
      done(in.transferTo(OutputStream.nullOutputStream()) > 0);
    }
  }
}
