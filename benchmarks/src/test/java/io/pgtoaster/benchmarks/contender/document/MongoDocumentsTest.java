package io.pgtoaster.benchmarks.contender.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.client.MongoClient;
import io.pgtoaster.benchmarks.server.MemoryMongo;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.column.DocumentPath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Each call returns the same result as {@code jsonb} and its operators. */
class MongoDocumentsTest {
  private static final String ACTOR =
      """
      {"id": "ada", "height": "170 cm", "born": 1815, "score": 1.5, "big": 12345678901, "alive": false,
       "died": null, "none": [], "matrix": [[1, 2], [3, 4]], "names": {"7": "seven", "first": {"long": "Ada K."}},
       "roles": [{"title": "one", "year": 1}, {"title": "two", "year": null}, {"title": "three"}]}
      """;

  private final MemoryMongo server = new MemoryMongo();
  private MongoDocuments store;
  private StoreSession session;

  @BeforeEach
  void insert() throws Exception {
    store = new MongoDocuments(server.target(true));
    session = store.session();
    session.insert(5, ACTOR);
  }

  @AfterEach
  void close() {
    try (server) {
      store.close();
    }
  }

  private static DocumentPath path(String text) {
    return DocumentPath.parse(text);
  }

  private void assertJson(String path, String expected) throws Exception {
    String found = session.get(5, path(path));
    assertThat(found).isNotNull();
    assertThat(JsonMapper.shared().readTree(found))
        .isEqualTo(JsonMapper.shared().readTree(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "height, 170 cm",
    "born, 1815",
    "score, 1.5",
    "big, 12345678901",
    "alive, false",
    "names.first.long, Ada K.",
    "names[7], seven",
    "roles[0].title, one",
    "roles[2].title, three",
    "roles[-1].title, three",
    "roles[-3].title, one",
    "matrix[1][0], 3",
    "matrix[-1][-1], 4",
  })
  void value_isReadByItsPath(String path, String value) throws Exception {
    assertThat(session.get(5, path(path))).isEqualTo(value);
    assertThat(session.text(5, path(path))).isEqualTo(value);
  }

  /** Omits positions in missing arrays, because the in-memory server cannot write that response. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "missing",
        "missing.more",
        "died",
        "height.more",
        "height[0]",
        "names.second",
        "names[8]",
        "none[0]",
        "roles[3]",
        "roles.title",
        "roles[0].missing",
        "roles[1].year",
        "roles[0][0]",
        "matrix[0][2]",
        "matrix[0][-3]",
      })
  void missingValueOrNull_isNotFound(String path) throws Exception {
    assertThat(session.get(5, path(path))).isNull();
  }

  @Test
  void missingDocument_hasNoMembers() throws Exception {
    assertThat(session.get(6, path("height"))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "names | {\"7\": \"seven\", \"first\": {\"long\": \"Ada K.\"}}",
        "none | []",
        "matrix | [[1, 2], [3, 4]]",
        "matrix[1] | [3, 4]",
        "roles[1] | {\"title\": \"two\", \"year\": null}",
      })
  void arrayOrObject_isReadAsJson(String path, String json) throws Exception {
    assertJson(path, json);
  }

  @Test
  void wholeDocument_isLoaded() throws Exception {
    assertThat(JsonMapper.shared().readTree(session.load(5)))
        .isEqualTo(JsonMapper.shared().readTree(ACTOR));
  }

  @Test
  void document_isReplaced() throws Exception {
    session.put(5, "[1, {\"a\": \"b\"}]");

    assertThat(session.get(5, path("[1].a"))).isEqualTo("b");
    assertThat(session.get(5, path("height"))).isNull();
    assertThat(JsonMapper.shared().readTree(session.load(5)))
        .isEqualTo(JsonMapper.shared().readTree("[1, {\"a\": \"b\"}]"));
  }

  @Test
  void oneField_ofSeveralDocuments_isReadByOneQuery() throws Exception {
    session.insert(7, "{\"height\": \"180 cm\", \"roles\": [{\"title\": \"four\"}]}");
    session.insert(8, "{\"height\": null}");

    assertThat(session.getAll(List.of(5L, 7L, 9L), path("height")))
        .isEqualTo(Map.of(5L, "170 cm", 7L, "180 cm"));
    assertThat(session.getAll(List.of(5L, 7L), path("roles[0].title")))
        .isEqualTo(Map.of(5L, "one", 7L, "four"));
    assertThat(session.getAll(List.of(8L), path("height"))).containsEntry(8L, null);
  }

  @Test
  void members_elements_andNestedValues_areSet() throws Exception {
    session.set(5, path("height"), "171 cm");
    session.set(5, path("names.first.long"), "Ada");
    session.set(5, path("roles[1].title"), "zwei");
    session.set(5, path("matrix[0]"), List.of(9));
    session.set(5, path("matrix[1][1]"), 8);
    session.set(5, path("fresh"), Map.of("a", List.of(1, "b", true)));

    assertThat(session.get(5, path("height"))).isEqualTo("171 cm");
    assertJson("names", "{\"7\": \"seven\", \"first\": {\"long\": \"Ada\"}}");
    assertJson("roles[1]", "{\"title\": \"zwei\", \"year\": null}");
    assertJson("matrix", "[[9], [3, 8]]");
    assertJson("fresh", "{\"a\": [1, \"b\", true]}");
  }

  @Test
  void element_isAppended() throws Exception {
    session.append(5, path("none"), 1);
    session.append(5, path("matrix[0]"), 3);
    session.append(5, path("matrix"), List.of(5, 6));
    session.append(5, path("roles"), Map.of("title", "four"));

    assertJson("none", "[1]");
    assertJson("matrix", "[[1, 2, 3], [3, 4], [5, 6]]");
    assertThat(session.get(5, path("roles[-1].title"))).isEqualTo("four");
    assertThat(session.get(5, path("roles[3].title"))).isEqualTo("four");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "matrix[0] | [0, [1, 2], [3, 4]]",
        "matrix[1] | [[1, 2], 0, [3, 4]]",
        "matrix[-1] | [[1, 2], 0, [3, 4]]",
        "matrix[9] | [[1, 2], [3, 4], 0]",
      })
  void element_isInsertedBeforeAnother(String path, String expected) throws Exception {
    session.insertAt(5, path(path), 0);

    assertJson("matrix", expected);
  }

  @Test
  void changeOfAMissingValue_fails() {
    assertThatIllegalStateException().isThrownBy(() -> session.set(6, path("height"), "x"));
    assertThatIllegalStateException().isThrownBy(() -> session.append(6, path("none"), 1));
    assertThatIllegalStateException().isThrownBy(() -> session.put(6, "{}"));
  }

  @Test
  void keysThatMongoDoesNotSupport_areRefused() {
    for (DocumentPath path :
        List.of(DocumentPath.of("a.b"), DocumentPath.of("$a"), path("roles[-1]"))) {
      assertThatIllegalArgumentException().isThrownBy(() -> session.set(5, path, 1));
    }
  }

  @Test
  void documents_areWritten_withAndWithoutWaitingForTheDisk() throws Exception {
    try (MongoDocuments hurried = new MongoDocuments(server.target(false));
        StoreSession one = hurried.session();
        StoreSession loader = hurried.loader()) {
      one.insert(0, "{\"a\": 1}");
      loader.insert(1, "{\"a\": 2}");
      hurried.addOthers();
      hurried.settle();
      hurried.settle();

      assertThat(hurried.count()).isEqualTo(2);
      assertThat(one.get(1, path("a"))).isEqualTo("2");
      assertThat(one.get(-DocumentStore.OTHERS, path("a"))).isNull();
      assertThat(hurried.database()).isNull();
    }
  }

  @Test
  void closedStore_leavesNothing() throws Exception {
    new MongoDocuments(server.target(true)).close();
    session.close();
    try (MongoDocuments other = new MongoDocuments(server.target(true))) {
      other.session().insert(1, "{}");
    }

    try (MongoClient client = MongoServer.connect(server.target(true))) {
      assertThat(client.listDatabaseNames()).hasSize(1);
    }
  }
}
