package io.pgtoaster.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.internal.column.ColumnLookup;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.MergedContextConfiguration;

/** Each context of a test has its own database, regardless of the properties. */
class PgToasterTestIT {
  private static final String WRONG = "spring.datasource.url=jdbc:postgresql://nowhere/none";

  /** Databases of this class's contexts. */
  private static final Set<String> SEEN = new HashSet<>();

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Application {}

  private static void usesADatabaseOfItsOwn(DataSource dataSource, PgToaster toaster) {
    JdbcClient jdbc = JdbcClient.create(dataSource);
    String database = jdbc.sql("SELECT current_database()").query(String.class).single();
    assertThat(database).startsWith("pgtoaster_test_");
    assertThat(SEEN.add(database)).isTrue();
    assertThat(dataSource).isInstanceOf(HikariDataSource.class);
    assertThat(toaster.catalog().installedVersion()).isEqualTo(ColumnLookup.CATALOG_VERSION);
    jdbc.sql("CREATE TABLE note (id int PRIMARY KEY, text bigint)").update();
    jdbc.sql("INSERT INTO note VALUES (1)").update();
    toaster.catalog().attach("note", "text", BlobOptions.defaults());
    toaster.blobs("note", "text").append(1, new byte[5]);
    assertThat(toaster.blobs("note", "text").length(1)).isEqualTo(5);
  }

  @Nested
  @SpringBootTest(classes = Application.class, properties = WRONG)
  @PgToasterTest
  class OfAWholeApplication {
    @Autowired DataSource dataSource;
    @Autowired PgToaster toaster;

    @Test
    void database_belongsToThisContext() {
      usesADatabaseOfItsOwn(dataSource, toaster);
    }
  }

  @Nested
  @DataJpaTest(properties = WRONG)
  @ContextConfiguration(classes = Application.class)
  @PgToasterTest
  class OfDataJpa {
    @Autowired DataSource dataSource;
    @Autowired PgToaster toaster;

    @Test
    void database_belongsToThisContext() {
      usesADatabaseOfItsOwn(dataSource, toaster);
    }
  }

  @Nested
  @JdbcTest(properties = WRONG)
  @ContextConfiguration(classes = Application.class)
  @PgToasterTest
  class OfJdbc {
    @Autowired DataSource dataSource;
    @Autowired PgToaster toaster;

    @Test
    void database_belongsToThisContext() {
      usesADatabaseOfItsOwn(dataSource, toaster);
    }
  }

  @Test
  void databaseOfAClosedContext_isDropped() throws Exception {
    ConfigurableApplicationContext context = new GenericApplicationContext();
    customize(context);
    context.refresh();
    JdbcConnectionDetails details = context.getBean(JdbcConnectionDetails.class);
    assertThat(context.getEnvironment().getProperty("spring.test.database.replace"))
        .isEqualTo("none");
    var left = new PGSimpleDataSource();
    left.setUrl(details.getJdbcUrl());
    left.setUser(details.getUsername());
    left.setPassword(details.getPassword());
    try (var connection = left.getConnection()) {
      assertThat(connection.isValid(5)).isTrue();
      context.close();
      assertThat(connection.isValid(5)).isFalse();
    }
    assertThatThrownBy(left::getConnection).hasMessageContaining("does not exist");
  }

  private static void customize(ConfigurableApplicationContext context) {
    new EmbeddedDatabaseCustomizer()
        .customizeContext(
            context, new MergedContextConfiguration(PgToasterTestIT.class, null, null, null, null));
  }

  @Test
  void withoutTheServersLibrary_theMissingDependencyIsReported() {
    GenericApplicationContext context = new GenericApplicationContext();
    context.setClassLoader(new FilteredClassLoader("io.pgtoaster.embedded"));
    assertThatThrownBy(() -> customize(context))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("add the dependency io.pgtoaster:pgtoaster-embedded");
  }

  @Test
  void classWithoutTheAnnotation_keepsItsDataSource() {
    assertThat(
            new EmbeddedDatabaseCustomizerFactory()
                .createContextCustomizer(PgToasterTestIT.class, List.of()))
        .isNull();
  }
}
