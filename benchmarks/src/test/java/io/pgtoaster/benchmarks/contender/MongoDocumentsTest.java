package io.pgtoaster.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.client.MongoClient;
import io.pgtoaster.benchmarks.server.MemoryMongo;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.column.DocumentPath;
import java.util.List;
import java.util.Map;
import org.bson.Document;
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
      {"height": "170 cm", "born": 1815, "alive": false, "died": null, "none": [], "matrix": [[1, 2], [3, 4]],
       "names": {"7": "seven", "first": {"long": "Ada K."}}, "roles": [{"title": "one"}, {"title": "two"}]}
      """;

  private final MemoryMongo server = new MemoryMongo();
  private MongoDocuments store;
  private DocumentStore.Session session;

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
    assertThat(JsonMapper.shared().readTree(String.valueOf(session.get(5, path(path)))))
        .isEqualTo(JsonMapper.shared().readTree(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "height, 170 cm",
    "born, 1815",
    "alive, false",
    "names.first.long, Ada K.",
    "names[7], seven",
    "roles[0].title, one",
    "roles[-1].title, two",
    "matrix[1][0], 3",
    "matrix[-1][-1], 4",
  })
  void value_isReadByItsPath(String path, String value) throws Exception {
    assertThat(session.get(5, path(path))).isEqualTo(value);
  }

  /** Omits positions in missing arrays, because the in-memory server cannot write that response. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "missing.more",
        "died",
        "height[0]",
        "names[8]",
        "none[0]",
        "roles[2]",
        "roles.title"
      })
  void missingValueOrNull_isNotFound(String path) throws Exception {
    assertThat(session.get(5, path(path))).isNull();
    assertThat(session.get(6, path(path))).isNull();
  }

  @Test
  void wholeDocument_isLoaded_andReplaced() throws Exception {
    assertThat(JsonMapper.shared().readTree(session.load(5)))
        .isEqualTo(JsonMapper.shared().readTree(ACTOR));
    session.put(5, "[1, {\"a\": \"b\"}]");
    assertThat(session.get(5, path("[1].a"))).isEqualTo("b");
    assertThat(session.get(5, path("height"))).isNull();
  }

  @Test
  void oneField_ofSeveralDocuments_isReadByOneQuery() throws Exception {
    session.insert(7, "{\"height\": \"180 cm\"}");
    assertThat(session.getAll(List.of(5L, 7L, 9L), path("height")))
        .isEqualTo(Map.of(5L, "170 cm", 7L, "180 cm"));
  }

  @Test
  void membersAndElements_areSet_appendedAndInserted() throws Exception {
    session.set(5, path("names.first.long"), "Ada");
    session.set(5, path("roles[1].title"), "zwei");
    session.set(5, path("matrix[1][1]"), 8);
    session.append(5, path("none"), Map.of("a", List.of(1, "b", true)));
    session.insertAt(5, path("matrix[1]"), 0);
    session.insertAt(5, path("matrix[-1]"), 9);
    assertJson("names", "{\"7\": \"seven\", \"first\": {\"long\": \"Ada\"}}");
    assertJson("roles[1]", "{\"title\": \"zwei\"}");
    assertJson("none", "[{\"a\": [1, \"b\", true]}]");
    assertJson("matrix", "[[1, 2], 0, 9, [3, 8]]");
  }

  @Test
  void changeOfAMissingDocument_orOfAnUnsupportedKey_fails() {
    assertThatIllegalStateException().isThrownBy(() -> session.set(6, path("height"), "x"));
    assertThatIllegalStateException().isThrownBy(() -> session.put(6, "{}"));
    for (DocumentPath path :
        List.of(DocumentPath.of("a.b"), DocumentPath.of("$a"), path("roles[-1]"))) {
      assertThatIllegalArgumentException().isThrownBy(() -> session.set(5, path, 1));
    }
  }

  @Test
  void otherDocuments_areNotCounted() throws Exception {
    store.addOthers();
    store.settle();
    assertThat(store.count()).isEqualTo(1);
    assertThat(session.get(-DocumentStore.OTHERS, path("height"))).isNull();
  }

  @Test
  void onlyDatabasesOfTrials_areDropped() throws Exception {
    try (MongoClient client = MongoServer.connect(server.target(true))) {
      client.getDatabase("others").getCollection("docs").insertOne(new Document("_id", 1));
      MongoServer.drop(server.target(true));
      assertThat(client.listDatabaseNames()).containsExactly("others");
    }
  }
}
