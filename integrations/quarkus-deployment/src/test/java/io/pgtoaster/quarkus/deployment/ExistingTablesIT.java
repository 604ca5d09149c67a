package io.pgtoaster.quarkus.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.QuarkusExtensionTest;
import jakarta.inject.Inject;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Level;
import javax.sql.DataSource;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with a URL, whose tables are created by Flyway. */
class ExistingTablesIT {
  private static final String URL = "quarkus.datasource.jdbc.url";

  @RegisterExtension
  static final QuarkusExtensionTest APPLICATION =
      new QuarkusExtensionTest()
          .withApplicationRoot(
              jar ->
                  jar.addClasses(Interview.class, Later.class, Server.class)
                      .addAsResource(
                          new StringAsset(
                              """
                              CREATE TABLE interview (id bigint PRIMARY KEY, recording bigint);
                              CREATE TABLE note (id bigint PRIMARY KEY, text bigint);
                              SELECT pgtoaster.attach('note', 'text');
                              """),
                          "db/migration/V1__tables.sql"))
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("quarkus.flyway.migrate-at-start", "true")
          .setBeforeAllCustomizer(Server::start)
          .setAfterAllCustomizer(Server::stop)
          .setLogRecordPredicate(r -> r.getLevel().intValue() >= Level.WARNING.intValue())
          .assertLogRecords(
              records ->
                  assertThat(records)
                      .extracting(new PatternFormatter("%c %s")::format)
                      .filteredOn(message -> message.startsWith("io.pgtoaster"))
                      .singleElement()
                      .asString()
                      .contains("migrate-at-start", "pgtoaster.attach", "later"));

  @Inject PgToaster toaster;
  @Inject DataSource dataSource;
  @Inject EntityManager entities;

  @Entity(name = "interview")
  public static class Interview {
    @Id Long id;
    AppendableBlob recording = new AppendableBlob();

    Interview() {}

    Interview(long id) {
      this.id = id;
    }
  }

  /** Has no table. */
  @Entity(name = "later")
  public static class Later {
    @Id Long id;
    AppendableBlob content;

    Later() {}
  }

  /** Started once, in the JVM's class loader. Quarkus loads this class again in its own. */
  static final class Server {
    private static EmbeddedPostgres postgres;

    static void start() {
      postgres =
          EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
              .temporary()
              .setting("fsync", "off")
              .start();
      System.setProperty(URL, postgres.jdbcUrl("postgres"));
      System.setProperty("quarkus.datasource.username", postgres.user());
      System.setProperty("quarkus.datasource.password", postgres.password());
    }

    static void stop() {
      System.clearProperty(URL);
      System.clearProperty("quarkus.datasource.username");
      System.clearProperty("quarkus.datasource.password");
      postgres.close();
    }
  }

  @Test
  void entities_useTablesOfMigrations() {
    QuarkusTransaction.requiringNew()
        .run(
            () -> {
              Interview interview = new Interview(1);
              entities.persist(interview);
              interview.recording.append("hello".getBytes(UTF_8));
            });
    assertThat(toaster.blobs("interview", "recording").length(1)).isEqualTo(5);
  }

  @Test
  void migrations_canAttachColumns() {
    assertThat(toaster.blobs("note", "text").describe()).isNotNull();
  }

  @Test
  void theUrlIsUsed() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      assertThat(connection.getMetaData().getURL()).startsWith(System.getProperty(URL));
    }
  }
}
