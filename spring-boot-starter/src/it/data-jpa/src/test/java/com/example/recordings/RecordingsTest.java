package com.example.recordings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.PostgresBinaries;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The project has no configuration; the test sets the address of its new database. */
@SpringBootTest(properties = "spring.jpa.hibernate.ddl-auto=create")
@DirtiesContext
class RecordingsTest {
  static final EmbeddedPostgres POSTGRES =
      EmbeddedPostgres.builder(
              PostgresBinaries.fromClasspath(Path.of("target/postgres").toAbsolutePath()))
          .start();

  @Autowired Recordings recordings;
  @Autowired RecordingRepository repository;
  @Autowired PgToaster toaster;
  @Autowired ApplicationContext context;

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry registry) {
    registry.add("spring.datasource.url", () -> POSTGRES.jdbcUrl("postgres"));
    registry.add("spring.datasource.username", POSTGRES::user);
    registry.add("spring.datasource.password", POSTGRES::password);
  }

  @AfterAll
  static void stop() {
    POSTGRES.close();
  }

  @Test
  void recordingIsAppendedTo() {
    long id = recordings.start("interview");
    recordings.add(id, "first ".getBytes());
    recordings.add(id, "second".getBytes());
    assertThat(recordings.audio(id)).asString().isEqualTo("first second");
    assertThat(recordings.details(id).seconds()).isEqualTo(2);
  }

  @Test
  void oneKeyOfTheDocumentChanges() {
    long id = recordings.start("interview");
    recordings.rename(id, "concert");
    Details details = recordings.details(id);
    assertThat(details.title()).isEqualTo("concert");
    assertThat(details.seconds()).isZero();
  }

  @Test
  void failedChangesAreRolledBack() {
    long id = recordings.start("interview");
    recordings.add(id, new byte[10]);
    assertThatThrownBy(() -> recordings.addAndFail(id, new byte[10]))
        .hasMessage("after the append");
    assertThat(recordings.audio(id)).hasSize(10);
    assertThat(recordings.details(id).seconds()).isEqualTo(1);
  }

  @Test
  void repositoryAppendsAndPatches() {
    long id = recordings.start("interview");
    repository.append(id, "audio", "first ".getBytes());
    repository.append(id, "audio", "second".getBytes());
    repository.patch(id, "details", details -> details.set("title", "concert"));
    assertThat(repository.read(id, "audio", 0, 100)).asString().isEqualTo("first second");
    assertThat(repository.find(id, "details", "title", String.class)).hasValue("concert");
  }

  @Test
  void jacksonHasOneVersion() {
    assertThat(tools.jackson.databind.cfg.PackageVersion.VERSION.toString())
        .isEqualTo(tools.jackson.core.json.PackageVersion.VERSION.toString());
  }

  @Test
  void columnsAreAttachedAndOpenWithoutJpa() {
    long id = recordings.start("interview");
    toaster.blobs("recording", "audio").append(id, new byte[5]);
    assertThat(recordings.audio(id)).hasSize(5);
    assertThat(toaster.blobs("recording", "audio").describe().toaster()).isEqualTo("appendable");
    assertThat(toaster.documents("recording", "details").describe().toaster()).isEqualTo("keyed");
  }

  @Test
  void missingLibrariesAreNotConfigured() {
    assertThat(context.getBeanDefinitionNames())
        .contains("pgToaster")
        .doesNotContain("pgtoasterHealthIndicator", "pgToasterEndpoint", "pgToasterObservedCalls");
  }
}
