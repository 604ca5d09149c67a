package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Compiles and runs the samples of the guides unchanged. */
class GuidesIT {
  private static final String THIS = "docs/src/test/java/io/pgtoaster/docs/GuidesIT.java";
  private static final String TESTS_OF = "integration-tests/src/test/java/io/pgtoaster/it/";

  /**
   * Pages with Java samples, and the test that runs them. No test runs fragments with omissions.
   */
  private static final Map<String, String> TESTS =
      Map.ofEntries(
          Map.entry("getting-started.md", THIS),
          Map.entry("jdbc.md", THIS),
          Map.entry("documents.md", THIS),
          Map.entry("telemetry.md", THIS),
          Map.entry("search.md", THIS),
          Map.entry("reactive.md", THIS),
          Map.entry("hibernate.md", TESTS_OF + "hibernate/docs/HibernateDocsIT.java"),
          Map.entry("migration.md", TESTS_OF + "hibernate/jsonb/MigratedEntityIT.java"),
          Map.entry("multi-tenant.md", TESTS_OF + "docs/MultiTenantIT.java"),
          Map.entry("operations.md", TESTS_OF + "docs/LockSampleIT.java"),
          Map.entry("scale-out.md", TESTS_OF + "docs/TenantDatabasesIT.java"));

  private static final Set<String> FRAGMENTS =
      Set.of("migration.md", "postgrespro.md", "spring.md", "spring-web.md");

  @AutoClose private static EmbeddedPostgres postgres;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    PostgresBinaries binaries = PostgresBinaries.fromClasspath(Home.cacheDirectory());
    postgres = EmbeddedPostgres.builder(binaries).temporary().start();
  }

  @Tag("ci")
  @ParameterizedTest
  @CsvSource({"Plain JDBC, Main", "Hibernate, Main", "Spring Boot, com.example.first.Application"})
  void program_printsTheOutputShownOnThePage(String section, String main) throws Exception {
    Guide guide = new Guide("getting-started.md");
    List<String> expected = guide.samples(section, "text").get(0).lines().toList();
    Guide.compile(guide.samples(section, "java"), folder);

    try (URLClassLoader loader = loader()) {
      ClassLoader before = Thread.currentThread().getContextClassLoader();
      Thread.currentThread().setContextClassLoader(loader);
      try {
        List<String> printed =
            Guide.printed(
                () ->
                    loader
                        .loadClass(main)
                        .getMethod("main", String[].class)
                        .invoke(null, (Object) new String[0]));
        assertThat(printed).containsSubsequence(expected);
      } finally {
        Thread.currentThread().setContextClassLoader(before);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc.md, 15",
    "documents.md, 20",
    "search.md, 13",
    "telemetry.md, 6",
    "reactive.md, 6"
  })
  void samples_haveTheResultsShownOnThePage(String page, int results) throws Exception {
    Guide.compile(List.of(Snippets.program(new Guide(page).samples())), folder);
    Path file = Files.write(folder.resolve("take-1.flac"), new byte[1000]);
    PageResults pageResults = new PageResults();

    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(postgres.jdbcUrlWithPassword("postgres"));
    String database = page.replace(".md", "");
    pageResults.sql(dataSource, "CREATE DATABASE " + database);
    dataSource.setURL(postgres.jdbcUrlWithPassword(database));
    String url =
        "postgresql://%s:%s@127.0.0.1:%d/%s"
            .formatted(postgres.user(), postgres.password(), postgres.port(), database);
    try (URLClassLoader loader = loader()) {
      loader
          .loadClass("Page")
          .getMethod("run", DataSource.class, String.class, Path.class, PageResults.class)
          .invoke(null, dataSource, url, file, pageResults);
    }

    assertThat(pageResults.results()).isGreaterThanOrEqualTo(results);
  }

  private URLClassLoader loader() throws IOException {
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
  }

  @Test
  void sampleWithAWrongResult_fails() {
    String program =
        Snippets.program(
            List.of(new Guide.Sample("", "java", "int a = f(\"x\"); // -> 1 \"a\"\n")));
    assertThat(program).contains("pageResults.is(\"1 \\\"a\\\"\", f(\"x\"));");
  }

  @Test
  void everyPageWithJava_hasATestThatRunsIt() throws IOException {
    Set<String> pages = new TreeSet<>();
    try (Stream<Path> files = Files.list(Guide.FOLDER)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".md")).toList()) {
        if (Files.readString(file).contains("```java\n")) {
          pages.add(file.getFileName().toString());
        }
      }
    }
    Set<String> known = new TreeSet<>(TESTS.keySet());
    known.addAll(FRAGMENTS);
    assertThat(pages).isEqualTo(known);
    for (Map.Entry<String, String> test : TESTS.entrySet()) {
      assertThat(Files.readString(Guide.FOLDER.resolveSibling(test.getValue())))
          .contains(test.getKey());
    }
  }
}
