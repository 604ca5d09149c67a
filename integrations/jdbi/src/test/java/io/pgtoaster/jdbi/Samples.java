package io.pgtoaster.jdbi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.JsonOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.qualifier.QualifiedType;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The samples of the README. */
final class Samples {
  public record Event(int year) {}

  public record Profile(List<Event> events) {}

  public record Person(long id, @Document Profile doc) {}

  @RegisterConstructorMapper(Person.class)
  public interface People extends SqlObject {
    @SqlUpdate("INSERT INTO person (id, doc) VALUES (:id, :doc)")
    void insert(long id, @Document Profile doc);

    @SqlQuery("SELECT id, pgtoaster.expand(doc) AS doc FROM person WHERE id = :id")
    Optional<Person> find(long id);

    @SqlQuery("SELECT pgtoaster.get(doc, :path) FROM person WHERE id = :id")
    @Document
    Optional<Event> event(long id, DocumentPath path);

    @SqlUpdate("UPDATE person SET doc = pgtoaster.set(doc, :path, :value) WHERE id = :id")
    void set(long id, DocumentPath path, JsonNode value);

    @Transaction
    default void add(long id, Event event, byte[] audio) {
      JdbiToaster columns = JdbiToaster.of(getHandle());
      columns.documents("person", "doc").at(id, "events").append(event);
      columns.blobs("person", "audio").append(id, audio);
    }
  }

  private Samples() {}

  static void run(DataSource dataSource) {
    PgToaster toaster = PgToaster.create(dataSource);
    Jdbi jdbi = Jdbi.create(dataSource);
    jdbi.installPlugin(new SqlObjectPlugin()); // if you use SQL objects
    jdbi.installPlugin(new PgToasterPlugin(toaster));

    toaster.catalog().install();
    jdbi.useHandle(
        handle ->
            handle.execute("CREATE TABLE person (id bigint PRIMARY KEY, audio bigint, doc jsonb)"));
    toaster.catalog().attachIfAbsent("person", "audio", BlobOptions.defaults());
    toaster.catalog().attachIfAbsent("person", "doc", JsonOptions.defaults());

    jdbi.useTransaction(
        handle -> {
          handle.execute("INSERT INTO person (id, doc) VALUES (7, '{\"events\": []}')");
          JdbiToaster columns = JdbiToaster.of(handle);
          columns.blobs("person", "audio").append(7, "hello".getBytes(UTF_8));
          columns.documents("person", "doc").at(7, "events").append(Map.of("year", 1815));
        });

    People people = jdbi.onDemand(People.class);
    people.set(7, DocumentPath.parse("events[0].year"), JsonNodeFactory.instance.numberNode(1816));
    people.add(7, new Event(1852), "!".getBytes(UTF_8));
    assertThat(people.find(7).orElseThrow().doc().events())
        .containsExactly(new Event(1816), new Event(1852));
    assertThat(people.event(7, DocumentPath.parse("events[-1]"))).contains(new Event(1852));
    assertThat(toaster.blobs("person", "audio").readAll(7, 10)).asString(UTF_8).isEqualTo("hello!");

    QualifiedType<Profile> profile = QualifiedType.of(Profile.class).with(Document.class);
    jdbi.useHandle(
        handle ->
            handle
                .createUpdate("INSERT INTO person (id, doc) VALUES (:id, :doc)")
                .bind("id", 8)
                .bindByType("doc", new Profile(List.of()), profile)
                .execute());
    Profile read =
        jdbi.withHandle(
            handle ->
                handle
                    .select("SELECT pgtoaster.expand(doc) FROM person WHERE id = ?", 8)
                    .mapTo(profile)
                    .one());
    assertThat(read.events()).isEmpty();
    assertThat(people.find(9)).isEmpty();
    people.insert(9, read);
    assertThat(people.find(9)).isPresent();
  }
}
