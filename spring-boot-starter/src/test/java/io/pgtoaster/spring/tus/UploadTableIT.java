package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.spring.kit.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/** The allowed owners of the table of uploads. */
class UploadTableIT {
  private final TestDatabase database = TestDatabase.empty();

  private static void create(TestDatabase as) {
    ResourceDatabasePopulator script =
        new ResourceDatabasePopulator(new ClassPathResource("io/pgtoaster/spring/tus/upload.sql"));
    script.setSeparator(ScriptUtils.EOF_STATEMENT_SEPARATOR);
    DatabasePopulatorUtils.execute(script, as.dataSource());
  }

  @Test
  void tableOfAnotherRole_isRefused() {
    TestDatabase other = database.asNewRole("mallory");
    database.run("GRANT CREATE ON SCHEMA public TO mallory");
    create(other);
    assertThatThrownBy(() -> create(database))
        .rootCause()
        .hasMessageContaining("the table pgtoaster_upload belongs to another role");
    create(other);
    database.run("DROP OWNED BY mallory", "DROP ROLE mallory");
  }

  @Test
  void tableOfTheSchemasOwner_isAccepted() {
    TestDatabase owner = database.asNewRole("owner");
    database.run(
        "CREATE SCHEMA app AUTHORIZATION owner",
        "ALTER ROLE ALL IN DATABASE "
            + database.value("SELECT current_database()")
            + " SET search_path = app");
    create(owner);
    create(database);
    database.run("DROP OWNED BY owner", "DROP ROLE owner");
  }
}
