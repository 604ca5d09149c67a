package io.pgtoaster.jdbi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.generic.GenericType;
import org.jdbi.v3.core.mapper.MappingException;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.qualifier.QualifiedType;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.transaction.SerializableTransactionRunner;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class JdbiIT {
  private static final QualifiedType<Profile> PROFILE =
      QualifiedType.of(Profile.class).with(Document.class);
  private static final QualifiedType<String> TEXT =
      QualifiedType.of(String.class).with(Document.class);

  @AutoClose private static EmbeddedPostgres postgres;
  private static PGSimpleDataSource dataSource;

  private final PgToaster toaster = PgToaster.create(dataSource);
  private final Jdbi jdbi = jdbi(new PgToasterPlugin(toaster));
  @AutoClose private Handle handle;

  /** A document whose events do not fit the row. */
  public record Profile(String name, List<Event> events) {}

  public record Event(int year, String what) {}

  public record Person(long id, @Document Profile doc, @Document Optional<Profile> other) {}

  @BeforeAll
  static void start() {
    postgres =
        EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
            .temporary()
            .setting("fsync", "off")
            .start();
    dataSource = new PGSimpleDataSource();
    dataSource.setURL(postgres.jdbcUrlWithPassword("postgres"));
    PgToaster.create(dataSource).catalog().install();
    try (Handle handle = Jdbi.open(dataSource)) {
      handle.execute("CREATE TABLE recording (id bigint PRIMARY KEY, title text)");
      handle.execute("CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb, other jsonb)");
    }
    PgToaster.create(dataSource).catalog().attach("recording", "audio", BlobOptions.defaults());
    PgToaster.create(dataSource).catalog().attach("person", "doc", JsonOptions.defaults());
  }

  @BeforeEach
  void open() {
    handle = jdbi.open();
    handle.execute("DELETE FROM recording");
    handle.execute("DELETE FROM person");
  }

  private static Jdbi jdbi(PgToasterPlugin plugin) {
    return Jdbi.create(dataSource)
        .installPlugin(new SqlObjectPlugin())
        .installPlugin(plugin)
        .registerRowMapper(ConstructorMapper.factory(Person.class));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static Profile ada() {
    return new Profile(
        "Ada", IntStream.range(0, 2_000).mapToObj(i -> new Event(1815 + i, "event " + i)).toList());
  }

  private BlobColumn audio() {
    return JdbiToaster.of(handle).blobs("recording", "audio");
  }

  private DocumentColumn docs() {
    return JdbiToaster.of(handle).documents("person", "doc");
  }

  private void insert(long id, Profile profile) {
    handle.createUpdate("INSERT INTO person (id) VALUES (:id)").bind("id", id).execute();
    docs().put(id, profile);
  }

  @Test
  void calls_joinTheTransactionOfTheHandle() {
    handle.useTransaction(
        h -> {
          h.execute("INSERT INTO recording (id) VALUES (1)");
          h.execute("INSERT INTO person (id) VALUES (1)");
          audio().append(1, bytes("one"));
          docs().put(1, ada());
          docs().at(1, "events[0].year").set(1816);
          assertThatThrownBy(() -> toaster.blobs("recording", "audio").info(1))
              .isInstanceOf(RowNotFoundException.class);
        });
    assertThat(toaster.blobs("recording", "audio").length(1)).isEqualTo(3);
    assertThat(toaster.documents("person", "doc").at(1, "events[0].year").text()).contains("1816");

    handle.begin();
    audio().append(1, bytes(" two"));
    docs().at(1, "events[0].year").set(1817);
    handle.savepoint("before");
    audio().append(1, bytes(" three"));
    handle.rollbackToSavepoint("before");
    assertThat(audio().readAll(1, 100)).isEqualTo(bytes("one two"));
    handle.rollback();
    assertThat(audio().readAll(1, 100)).isEqualTo(bytes("one"));
    assertThat(docs().at(1, "events[0].year").text()).contains("1816");
  }

  @Test
  void exceptions_comeThroughUnchanged_andRollBack() {
    assertThatThrownBy(
            () ->
                jdbi.useTransaction(
                    h -> {
                      h.execute("INSERT INTO recording (id) VALUES (2)");
                      JdbiToaster.of(h).blobs("recording", "audio").append(99, bytes("x"));
                    }))
        .isInstanceOf(RowNotFoundException.class);
    assertThat(handle.createQuery("SELECT count(*) FROM recording").mapTo(long.class).one())
        .isZero();

    insert(1, ada());
    handle.useTransaction(
        h -> {
          assertThatThrownBy(() -> docs().at(1, "none[0].year").set(1))
              .isInstanceOf(PathNotFoundException.class);
          docs().at(1, "name").set("Countess");
        });
    assertThat(docs().at(1, "name").text()).contains("\"Countess\"");
  }

  @Test
  void serializableTransactions_areRunAgain() {
    insert(1, ada());
    Jdbi retrying = jdbi(new PgToasterPlugin(toaster));
    retrying.setTransactionHandler(new SerializableTransactionRunner());
    AtomicInteger attempts = new AtomicInteger();
    retrying.useTransaction(
        TransactionIsolationLevel.SERIALIZABLE,
        h -> {
          DocumentColumn documents = JdbiToaster.of(h).documents("person", "doc");
          documents.at(1, "name").get();
          if (attempts.incrementAndGet() == 1) {
            toaster.documents("person", "doc").at(1, "name").set("other");
            assertThatThrownBy(() -> documents.at(1, "name").set("mine"))
                .isInstanceOf(ConcurrencyException.class);
          }
          documents.at(1, "name").set("mine");
        });
    assertThat(attempts).hasValue(2);
    assertThat(docs().at(1, "name").text()).contains("\"mine\"");
  }

  @Test
  void column_isLookedUpOnceForAllHandles() {
    insert(1, ada());
    List<String> statements = new ArrayList<>();
    Jdbi recorded = Jdbi.create(() -> recording(dataSource.getConnection(), statements));
    recorded.installPlugin(new PgToasterPlugin(toaster));
    for (int i = 0; i < 2; i++) {
      statements.clear();
      recorded.useHandle(h -> JdbiToaster.of(h).documents("person", "doc").at(1, "name").get());
    }
    assertThat(statements).hasSize(1);
  }

  private static Connection recording(Connection connection, List<String> statements) {
    return (Connection)
        Proxy.newProxyInstance(
            JdbiIT.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                statements.add((String) arguments[0]);
              }
              return method.invoke(connection, arguments);
            });
  }

  @Test
  void withoutThePlugin_theMessageSaysWhatToDo() {
    try (Handle plain = Jdbi.open(dataSource)) {
      assertThatThrownBy(() -> JdbiToaster.of(plain))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("installPlugin(new PgToasterPlugin(toaster))");
    }
  }

  @Test
  void documents_areBoundAndMapped() {
    handle
        .createUpdate("INSERT INTO person (id, doc, other) VALUES (1, :doc, :other)")
        .bindByType("doc", new Profile("Bob", List.of()), PROFILE)
        .bindByType("other", "{\"name\": \"Al\"}", TEXT)
        .execute();
    insert(2, ada());

    List<Person> people =
        handle
            .createQuery("SELECT id, pgtoaster.expand(doc) AS doc, other FROM person ORDER BY id")
            .mapTo(Person.class)
            .list();
    assertThat(people)
        .containsExactly(
            new Person(1, new Profile("Bob", List.of()), Optional.of(new Profile("Al", null))),
            new Person(2, ada(), Optional.empty()));

    assertThat(handle.createQuery("SELECT other FROM person ORDER BY id").mapTo(TEXT).list())
        .containsExactly("{\"name\": \"Al\"}", null);
    handle
        .createUpdate("UPDATE person SET other = :other WHERE id = 2")
        .bindByType(
            "other",
            Optional.of(new Profile("Cy", List.of())),
            QualifiedType.of(new GenericType<Optional<Profile>>() {}).with(Document.class))
        .execute();
    assertThat(
            handle
                .select("SELECT other->>'name' FROM person WHERE id = 2")
                .mapTo(String.class)
                .one())
        .isEqualTo("Cy");

    assertThat(
            handle
                .createQuery("SELECT pgtoaster.get(doc, :path) FROM person WHERE id = 2")
                .bind("path", DocumentPath.of("events"))
                .mapTo(QualifiedType.of(new GenericType<List<Event>>() {}).with(Document.class))
                .one())
        .isEqualTo(ada().events());
  }

  @Test
  void jsonNode_needsNoQualifier() {
    BigDecimal exact = new BigDecimal("0.12345678901234567890123456789");
    ObjectNode node =
        JsonNodeFactory.instance.objectNode().put("n", exact).put("text", "\"ü\" 🎉\n");
    handle
        .createUpdate("INSERT INTO person (id, doc) VALUES (1, :doc)")
        .bind("doc", node)
        .execute();
    handle
        .createUpdate("INSERT INTO person (id, doc) VALUES (2, ?)")
        .bind(0, (Object) null)
        .execute();
    handle
        .createUpdate("INSERT INTO person (id, doc) VALUES (3, :doc)")
        .bindByType("doc", null, JsonNode.class)
        .execute();
    handle
        .createUpdate("INSERT INTO person (id, doc) VALUES (4, :doc)")
        .bind("doc", JsonNodeFactory.instance.nullNode())
        .execute();

    List<JsonNode> read =
        handle.createQuery("SELECT doc FROM person ORDER BY id").mapTo(JsonNode.class).list();
    assertThat(read).containsExactly(node, null, null, JsonNodeFactory.instance.nullNode());
    assertThat(read.get(0).get("n").decimalValue()).isEqualTo(exact);
  }

  @Test
  void partOfASplitDocument_isRejected() {
    insert(1, ada());
    for (String part : List.of("doc", "doc->'events'")) {
      assertThatThrownBy(
              () ->
                  handle
                      .createQuery("SELECT " + part + " AS part FROM person")
                      .mapTo(JsonNode.class)
                      .one())
          .isInstanceOf(MappingException.class)
          .hasMessageContaining("column \"part\"")
          .hasMessageContaining("pgtoaster.expand(..)");
    }
    String own = "{\"$pgtoaster\": \"mine\", \"a\": [{\"$pgtoaster\": [1]}]}";
    docs().putJson(1, own);
    assertThat(handle.createQuery("SELECT pgtoaster.expand(doc) FROM person").mapTo(TEXT).one())
        .isEqualToIgnoringWhitespace("{\"a\": [{\"$pgtoaster\": [1]}], \"$pgtoaster\": \"mine\"}");
  }

  @Test
  void valueThatDoesNotFit_isRejected() {
    handle.execute("INSERT INTO person (id, other) VALUES (1, '{\"events\": 7}')");
    assertThatThrownBy(() -> handle.createQuery("SELECT other FROM person").mapTo(PROFILE).one())
        .isInstanceOf(MappingException.class)
        .hasMessageContaining("column \"other\" does not fit")
        .hasMessageContaining("Profile");
    assertThatThrownBy(
            () -> handle.createQuery("SELECT '[]'::jsonb AS a").mapTo(ObjectNode.class).one())
        .isInstanceOf(MappingException.class);
  }

  @Test
  void editsAsValues_takePathsAndValues() {
    insert(1, ada());
    insert(2, new Profile("Bob", List.of()));
    DocumentPath path = DocumentPath.parse("events[0].what");
    int changed =
        handle
            .createUpdate("UPDATE person SET doc = pgtoaster.set(doc, :path, :value) WHERE id = 1")
            .bind("path", path)
            .bind("value", JsonNodeFactory.instance.stringNode("is born"))
            .execute();
    assertThat(changed).isEqualTo(1);

    PreparedBatch batch =
        handle.prepareBatch(
            "UPDATE person SET doc = pgtoaster.append(doc, :path, :event) WHERE id = :id");
    for (long id = 1; id <= 2; id++) {
      batch
          .bind("id", id)
          .bind("path", DocumentPath.of("events"))
          .bindByType(
              "event",
              new Event(2012, "a film"),
              QualifiedType.of(Event.class).with(Document.class))
          .add();
    }
    assertThat(batch.execute()).containsExactly(1, 1);

    assertThat(docs().at(1, path).text()).contains("\"is born\"");
    assertThat(docs().at(1, "events[-1]").get(Event.class)).contains(new Event(2012, "a film"));
    assertThat(docs().at(2, "events[-1]").get(Event.class)).contains(new Event(2012, "a film"));
  }

  /** An SQL object that opens columns on its handle. */
  @RegisterConstructorMapper(Person.class)
  public interface People extends SqlObject {
    @SqlUpdate("INSERT INTO person (id, doc) VALUES (:id, :doc)")
    void insert(long id, @Document Profile doc);

    @SqlQuery("SELECT id, pgtoaster.expand(doc) AS doc, other FROM person WHERE id = :id")
    Optional<Person> find(long id);

    @SqlQuery("SELECT pgtoaster.get(doc, :path) FROM person WHERE id = :id")
    @Document
    Optional<Event> event(long id, DocumentPath path);

    default void add(long id, Event event) {
      JdbiToaster.of(getHandle()).documents("person", "doc").at(id, "events").append(event);
    }

    @Transaction
    default void addBoth(long id, Event first, Event second) {
      add(id, first);
      if (second == null) {
        throw new IllegalStateException("no second event");
      }
      add(id, second);
    }
  }

  @Test
  void sqlObjects_openColumnsOnTheirHandle() {
    for (People people : List.of(handle.attach(People.class), jdbi.onDemand(People.class))) {
      handle.execute("DELETE FROM person");
      people.insert(1, new Profile("Ada", List.of()));
      Event born = new Event(1815, "born");
      Event dies = new Event(1852, "dies");
      people.addBoth(1, born, dies);
      assertThatThrownBy(() -> people.addBoth(1, born, null))
          .isInstanceOf(IllegalStateException.class);

      assertThat(people.find(1))
          .contains(new Person(1, new Profile("Ada", List.of(born, dies)), Optional.empty()));
      assertThat(people.event(1, DocumentPath.parse("events[-1]"))).contains(dies);
      assertThat(people.event(1, DocumentPath.parse("events[7]"))).isEmpty();
      assertThatThrownBy(() -> people.add(7, born)).isInstanceOf(RowNotFoundException.class);
    }
  }

  @Test
  void mapper_convertsBothWays() {
    JsonMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
            .build();
    Jdbi other = jdbi(new PgToasterPlugin(toaster, mapper));
    other.useHandle(
        h -> {
          h.createUpdate("INSERT INTO person (id, doc) VALUES (1, :doc)")
              .bindByType("doc", new Profile("Ada", List.of()), PROFILE)
              .execute();
          assertThat(h.select("SELECT doc->>'Name' FROM person").mapTo(String.class).one())
              .isEqualTo("Ada");
          assertThat(h.select("SELECT doc FROM person").mapTo(PROFILE).one().name())
              .isEqualTo("Ada");
          DocumentColumn documents = JdbiToaster.of(h).documents("person", "doc");
          documents.at(1, "Events").append(new Event(1815, "born"));
          assertThat(documents.load(1, Profile.class).orElseThrow().events()).hasSize(1);
          assertThat(documents.at(1, "Events[0]").get())
              .contains(JsonMapper.shared().valueToTree(Map.of("Year", 1815, "What", "born")));
        });
  }

  @Test
  void samples_run() throws IOException {
    handle.execute("CREATE DATABASE samples");
    PGSimpleDataSource samplesDatabase = new PGSimpleDataSource();
    samplesDatabase.setURL(postgres.jdbcUrlWithPassword("samples"));
    Samples.run(samplesDatabase);

    String source = Files.readString(Path.of("src/test/java/io/pgtoaster/jdbi/Samples.java"));
    List<String> samples =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(samples)
        .hasSize(4)
        .allSatisfy(sample -> assertThat(source).containsIgnoringWhitespaces(sample));
  }
}
