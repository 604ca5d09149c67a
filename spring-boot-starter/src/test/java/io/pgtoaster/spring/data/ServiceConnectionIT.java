package io.pgtoaster.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.spring.test.PgToasterContainer;
import java.sql.Connection;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;
import org.testcontainers.DockerClientFactory;

/** An application on a container. CI requires a container engine. */
@Tag("docker")
@EnabledIf(value = "engineIsThere", disabledReason = ServiceConnectionIT.NO_ENGINE)
@SpringBootTest(
    classes = ServiceConnectionIT.Application.class,
    properties = "spring.jpa.hibernate.ddl-auto=create")
@DirtiesContext
class ServiceConnectionIT {
  static final String NO_ENGINE =
      "no Docker engine is reachable; to enable: start one, or run .ci/docker mvn verify";

  private static int versionAtStart;

  @Autowired private PgToasterContainer container;
  @Autowired private DataSource dataSource;
  @Autowired private PgToaster toaster;
  @Autowired private MeetingRepository meetings;

  static boolean engineIsThere() {
    boolean there =
        System.getenv("CI") != null || DockerClientFactory.instance().isDockerAvailable();
    if (!there) {
      System.out.println("Tests are skipped: " + NO_ENGINE);
    }
    return there;
  }

  /** Not a component, so that component scans of other tests do not find it. */
  @EnableAutoConfiguration
  static class Application {
    @Bean
    @ServiceConnection
    PgToasterContainer postgres() {
      PgToasterContainer container =
          new PgToasterContainer(
              System.getProperty("pgtoaster.test.image", PgToasterContainer.DEFAULT_IMAGE));
      container.start();
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(container.getJdbcUrl());
      source.setUser(container.getUsername());
      source.setPassword(container.getPassword());
      versionAtStart = PgToaster.create(source).catalog().installedVersion();
      return container;
    }
  }

  @Test
  void catalogIsInTheContainer() throws Exception {
    assertThat(versionAtStart).isEqualTo(ColumnLookup.CATALOG_VERSION);
    assertThat(toaster.catalog().installedVersion()).isEqualTo(ColumnLookup.CATALOG_VERSION);
    try (Connection connection = dataSource.getConnection()) {
      assertThat(connection.getMetaData().getURL())
          .contains(":" + container.getFirstMappedPort() + "/");
    }
  }

  @Test
  void entityIsAppendedToAndPatched() {
    Map<String, Object> notes = Map.of("topic", "x", "people", Map.of("ann", 1));
    Long id = meetings.save(new Meeting("weekly", KeyedJson.of(notes))).id();
    byte[] content = new byte[300_000];
    content[299_999] = 7;
    meetings.append(id, "audio", content);
    assertThat(meetings.append(id, "audio", new byte[] {8}).offset()).isEqualTo(300_000);
    assertThat(meetings.read(id, "audio", 299_999, 10)).containsExactly(7, 8);
    assertThat(toaster.blobs("meeting", "audio").length(id)).isEqualTo(300_001);

    meetings.patch(id, "notes", change -> change.set("people.bob", 2));
    assertThat(meetings.find(id, "notes", "people", Map.class))
        .hasValue(Map.of("ann", 1, "bob", 2));
  }
}
