package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Documents.at;
import static io.pgtoaster.benchmarks.guard.operation.Documents.done;
import static io.pgtoaster.benchmarks.guard.operation.Documents.eachItsOwn;
import static io.pgtoaster.benchmarks.guard.operation.Documents.element;
import static io.pgtoaster.benchmarks.guard.operation.Documents.large;
import static io.pgtoaster.benchmarks.guard.operation.Documents.small;
import static io.pgtoaster.benchmarks.guard.operation.Documents.there;
import static io.pgtoaster.benchmarks.guard.operation.Documents.words;
import static java.util.stream.Collectors.toMap;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.jsonb.JsonIndex;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Operations on values at paths of documents. */
final class DocumentOperations {
  private static final int MANY = 20;

  /** A title that each document contains. */
  private static final String TITLE =
      JsonMapper.shared().readTree(Documents.MEDIUM).at("/roles/50/title").stringValue();

  private static final JsonSearch SEARCH =
      JsonSearch.contains(Map.of("roles", List.of(Map.of("title", TITLE))));

  private static final JsonSearch RANKED = JsonSearch.text(TITLE);

  private DocumentOperations() {}

  static Stream<Operation> all() {
    return Stream.of(reads(), edits(), sql()).flatMap(s -> s);
  }

  private static Stream<Operation> reads() {
    return Stream.of(
        large("get a short member", 20, (d, id, i) -> there(d.column.at(id, "height").text())),
        large("get a leaf", 20, DocumentOperations::getLeaf),
        large("get an element", 20, (d, id, i) -> there(d.column.at(id, element(i)).get())),
        large(
            "slice of 20 elements", 20, (d, id, i) -> there(roles(d, id).slice(at(i), at(i) + 20))),
        large("exists", 20, (d, id, i) -> done(title(d, id, i).exists())),
        large("type", 20, (d, id, i) -> there(title(d, id, i).type())),
        large("size of the array", 20, (d, id, i) -> done(roles(d, id).size().isPresent())),
        large("keys of an element", 20, (d, id, i) -> there(d.column.at(id, element(i)).keys())),
        large(
            "page of keys",
            20,
            (d, id, i) -> there(d.column.at(id, DocumentPath.root()).keys("height", 2))),
        large("read the array as a stream", 5, DocumentOperations::readStream),
        many(
            "get a leaf of 20",
            (d, id, i) -> done(d.column.getAll(keys(), path(i)).size() == MANY)),
        many(
            "get a leaf of 20 as text",
            (d, id, i) -> done(d.column.textAll(keys(), path(i)).size() == MANY)),
        Operation.of(
            "document: find 20 by a value",
            5,
            (w, rounds) ->
                new Documents(
                    w,
                    Column.KEYED,
                    MANY,
                    0,
                    Documents.MEDIUM,
                    DocumentOperations::index,
                    (d, id, i) -> done(d.column.search(SEARCH).size() == MANY))),
        Operation.of(
            "document: rank 20 by a word",
            5,
            (w, rounds) ->
                new Documents(
                    w,
                    Column.KEYED,
                    MANY,
                    0,
                    Documents.MEDIUM,
                    DocumentOperations::textIndex,
                    (d, id, i) -> done(d.column.searchRanked(RANKED).size() == MANY))));
  }

  private static void textIndex(Documents documents, long id, int i) {
    index(documents, JsonIndex.text("simple"));
  }

  private static void index(Documents documents, long id, int i) {
    index(documents, JsonIndex.containment());
  }

  private static void index(Documents documents, JsonIndex index) {
    documents
        .workplace
        .toaster()
        .catalog()
        .createIndex(ColumnName.of("bench", documents.table, "data"), index.withFastUpdate(false));
  }

  private static Stream<Operation> edits() {
    return Stream.of(
        small(
            "set in a small one", 20, (d, id, i) -> d.column.at(id, "height").set("1" + i + " cm")),
        large(
            "set a short member", 20, (d, id, i) -> d.column.at(id, "height").set("1" + i + " cm")),
        large("set a leaf", 20, DocumentOperations::setLeaf),
        large(
            "insert an element",
            20,
            (d, id, i) -> d.column.at(id, element(i)).insert(Documents.newElement(i))),
        large(
            "insert after an element",
            20,
            (d, id, i) -> d.column.at(id, element(i)).insertAfter(Documents.newElement(i))),
        large("append an element", 20, (d, id, i) -> roles(d, id).append(Documents.newElement(i))),
        large(
            "append one, keep 900",
            20,
            (d, id, i) -> roles(d, id).appendKeepingLast(900, Documents.newElement(i))),
        eachItsOwn(
            "keep 20 of 1,000 elements",
            5,
            Documents.LARGE,
            (d, id, i) -> roles(d, id).keepLast(20)),
        large("remove an element", 20, (d, id, i) -> done(d.column.at(id, element(i)).remove())),
        large(
            "replace a leaf if equal",
            20,
            (d, id, i) -> done(title(d, id, i).replaceIf(Documents.stored(i, "title"), words(i)))),
        large(
            "set a leaf if absent",
            20,
            (d, id, i) -> done(d.column.at(id, element(i) + ".rating").setIfAbsent(i))),
        large(
            "remove a leaf if equal",
            20,
            (d, id, i) ->
                done(d.column.at(id, element(i) + ".year").removeIf(Documents.stored(i, "year")))),
        large("increment", 20, (d, id, i) -> d.column.at(id, element(i) + ".year").increment(1)),
        large("three edits at once", 20, (d, id, i) -> d.column.edit(id, threeEdits(i))),
        many("set a leaf in 20", DocumentOperations::editAll),
        many("append an element to 20", DocumentOperations::appendAll),
        many("append to each of 20", DocumentOperations::appendEach),
        many("set a leaf in 20 of 21", DocumentOperations::editEach));
  }

  private static void editAll(Documents documents, long id, int i) {
    JsonEdit edit = new JsonEdit.Set(path(i), JsonNodeFactory.instance.stringNode("T" + i), true);
    documents.column.editAll(keys().stream().collect(toMap(key -> key, key -> List.of(edit))));
  }

  private static void appendAll(Documents documents, long id, int i) {
    documents.column.appendAll(
        DocumentPath.parse("roles"),
        keys().stream().collect(toMap(key -> key, key -> Documents.newElement(i))));
  }

  private static void appendEach(Documents documents, long id, int i) {
    done(
        documents
            .column
            .appendEach(
                DocumentPath.parse("roles"),
                keys().stream().collect(toMap(key -> key, key -> Documents.newElement(i))))
            .isEmpty());
  }

  /** One row does not exist. */
  private static void editEach(Documents documents, long id, int i) {
    JsonEdit edit = new JsonEdit.Set(path(i), JsonNodeFactory.instance.stringNode("E" + i), true);
    Map<Long, List<JsonEdit>> edits = new TreeMap<>();
    keys().forEach(key -> edits.put(key, List.of(edit)));
    edits.put(Documents.NEW, List.of(edit));
    done(documents.column.editEach(edits).size() == 1);
  }

  private static Stream<Operation> sql() {
    return Stream.of(
        large("get a leaf in SQL", 20, (d, id, i) -> d.query("pgtoaster.get_text(data, %s)", id, i))
            .byItself(),
        large("set a leaf in SQL", 20, (d, id, i) -> d.update("pgtoaster.set(data, %s, %s)", id, i))
            .byItself(),
        transparent("get a leaf by operators", (d, id, i) -> d.query("data #>> %s", id, i)),
        transparent(
            "set a leaf by operators", (d, id, i) -> d.update("jsonb_set(data, %s, %s)", id, i)));
  }

  /** Returns an operation in plain SQL that does not use this library. */
  private static Operation transparent(String name, Rows.Call<Documents> call) {
    Operation operation = large(name, 20, call).byItself().by(Set.of(Kind.EXTENSION));
    return operation.opened(
        (w, rounds) -> {
          Subject subject = operation.opener().open(w, rounds);
          Sql.run(w.session(), "SET pgtoaster.transparent = on");
          return subject;
        });
  }

  /**
   * Returns an operation on all rows at once, with medium documents: with large ones, calls in one
   * of eight databases would read two more nodes than in the others. With this size, all databases
   * read the same number of pages.
   */
  private static Operation many(String name, Rows.Call<Documents> call) {
    return Operation.of(
        "document: " + name,
        5,
        (w, rounds) ->
            new Documents(w, Column.KEYED, MANY, 0, Documents.MEDIUM, Rows::nothing, call));
  }

  private static List<Long> keys() {
    return LongStream.rangeClosed(1, MANY).boxed().toList();
  }

  private static DocumentPath path(int i) {
    return DocumentPath.parse("roles[" + i * 37 % 100 + "].title");
  }

  private static DocumentValue title(Documents documents, long id, int i) {
    return documents.column.at(id, element(i) + ".title");
  }

  private static DocumentValue roles(Documents documents, long id) {
    return documents.column.at(id, "roles");
  }

  static void getLeaf(Documents documents, long id, int i) {
    there(title(documents, id, i).text());
  }

  static void setLeaf(Documents documents, long id, int i) {
    title(documents, id, i).set(words(i));
  }

  private static List<JsonEdit> threeEdits(int i) {
    ArrayNode added = JsonNodeFactory.instance.arrayNode().add(words(i));
    return List.of(
        new JsonEdit.Set(DocumentPath.parse("height"), added.get(0), true),
        new JsonEdit.Set(DocumentPath.parse(element(i) + ".title"), added.get(0), true),
        new JsonEdit.Append(DocumentPath.parse("roles"), added));
  }

  private static void readStream(Documents documents, long id, int i) throws Exception {
    try (InputStream in = roles(documents, id).stream().orElseThrow()) {
      done(in.transferTo(OutputStream.nullOutputStream()) > 0);
    }
  }
}
