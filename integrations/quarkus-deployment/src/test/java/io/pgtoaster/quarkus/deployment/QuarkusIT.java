package io.pgtoaster.quarkus.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.jsonb.JsonOptions;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.QuarkusExtensionTest;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application without a URL, on the server of Dev Services, where Hibernate creates tables. */
class QuarkusIT {
  @RegisterExtension
  static final QuarkusExtensionTest APPLICATION =
      new QuarkusExtensionTest()
          .withApplicationRoot(jar -> jar.addClasses(Recording.class, Details.class))
          .overrideConfigKey("quarkus.datasource.db-kind", "postgresql")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("quarkus.flyway.enabled", "false")
          .setLogRecordPredicate(r -> r.getLevel().intValue() >= Level.WARNING.intValue())
          .assertLogRecords(
              records ->
                  assertThat(records).noneMatch(r -> r.getLoggerName().startsWith("io.agroal")));

  @Inject PgToaster toaster;
  @Inject DataSource dataSource;
  @Inject EntityManager entities;
  @Inject @Readiness Instance<HealthCheck> checks;

  public record Details(String title, List<String> tags) {}

  @Entity(name = "recording")
  public static class Recording {
    @Id Long id;
    AppendableBlob audio = new AppendableBlob();
    KeyedJson<Details> details;

    Recording() {}

    Recording(long id, Details details) {
      this.id = id;
      this.details = KeyedJson.of(details);
    }
  }

  @BeforeEach
  void createTable() throws SQLException {
    run("DROP TABLE IF EXISTS person");
    run("CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb)");
    toaster.catalog().attach("person", "photo", BlobOptions.defaults());
    toaster.catalog().attach("person", "doc", JsonOptions.defaults());
    run("INSERT INTO person VALUES (1)");
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void write() {
    toaster.blobs("person", "photo").append(1, "one".getBytes(UTF_8));
    toaster
        .documents("person", "doc")
        .put(1, Map.of("name", "Ada", "notes", List.of("note ".repeat(2_000))));
    toaster.documents("person", "doc").at(1, "notes").append("end");
  }

  @Test
  void calls_joinTheTransaction() {
    QuarkusTransaction.requiringNew().run(this::write);
    assertThat(toaster.blobs("person", "photo").length(1)).isEqualTo(3);

    assertThatThrownBy(
            () ->
                QuarkusTransaction.requiringNew()
                    .run(
                        () -> {
                          write();
                          assertThat(toaster.blobs("person", "photo").length(1)).isEqualTo(6);
                          throw new IllegalStateException("roll back");
                        }))
        .hasMessage("roll back");
    assertThat(toaster.blobs("person", "photo").length(1)).isEqualTo(3);
    assertThat(toaster.documents("person", "doc").at(1, "notes").size()).hasValue(2);
  }

  @Test
  void calls_shareTheConnectionOfHibernate() {
    QuarkusTransaction.requiringNew()
        .run(
            () -> {
              entities.createNativeQuery("INSERT INTO person VALUES (2)").executeUpdate();
              toaster.blobs("person", "photo").append(2, new byte[7]);
              Object length =
                  entities
                      .createNativeQuery(
                          "SELECT pgtoaster.blob_length('person', 'photo', 2)", Long.class)
                      .getSingleResult();
              assertThat(length).isEqualTo(7L);
            });
  }

  @Test
  void withoutTransaction_callsCommit() {
    write();
    assertThat(toaster.blobs("person", "photo").length(1)).isEqualTo(3);
  }

  @Test
  void entities_haveBlobsAndDocuments() {
    List<String> tags = IntStream.range(0, 2_000).mapToObj(i -> "tag " + i).toList();
    QuarkusTransaction.requiringNew()
        .run(
            () -> {
              Recording recording = new Recording(1, new Details("Take 1", tags));
              entities.persist(recording);
              recording.audio.append("hello".getBytes(UTF_8));
            });
    QuarkusTransaction.requiringNew()
        .run(
            () -> {
              Recording recording = entities.find(Recording.class, 1L);
              recording.audio.append(" world".getBytes(UTF_8));
              assertThat(recording.details.get("tags[1999]", String.class)).contains("tag 1999");
            });
    assertThat(toaster.blobs("recording", "audio").length(1)).isEqualTo(11);
    assertThat(toaster.documents("recording", "details").stat(1).orElseThrow().splitMembers())
        .isEqualTo(1);
  }

  @Test
  void readiness_includesTheCatalog() {
    assertThat(checks.stream().map(HealthCheck::call))
        .filteredOn(r -> r.getName().equals("pgtoaster"))
        .singleElement()
        .satisfies(r -> assertThat(r.getStatus()).isEqualTo(HealthCheckResponse.Status.UP))
        .satisfies(r -> assertThat(r.getData().orElseThrow()).containsKey("catalogVersion"));
  }
}
