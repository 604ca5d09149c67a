package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The main sources of all modules: their imports of core, and their sizes. */
class SourcesTest {
  private static final Path ROOT = Guide.FOLDER.getParent();

  private static final Pattern NOT_FOR_OTHERS =
      Pattern.compile(
          "import (static"
              + " )?io\\.pgtoaster\\.(internal\\.[A-Z]|blob\\.appendable\\.[a-z]|jsonb\\.keyed\\.[a-z]).*");

  /** Packages that applications do not need. */
  private static final Pattern NOT_FOR_USERS =
      Pattern.compile(
          "\\bio\\.pgtoaster\\.(spi\\b|internal\\b|(blob|jsonb)\\.[a-z]|hibernate\\.(internal|event)\\b)");

  /** Packages that a toaster in another jar needs. */
  private static final Pattern FOR_TOASTERS =
      Pattern.compile("import (static )?io\\.pgtoaster\\.(spi|column|error)\\.[A-Z].*");

  private static final Pattern LITERAL =
      Pattern.compile("\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"");

  private static final Pattern STATEMENT =
      Pattern.compile("\\b(SELECT|UPDATE|INSERT|DELETE|WHERE)\\b");
  private static final Pattern QUALIFIED = Pattern.compile("pg_catalog\\.([a-z_][a-z_0-9]*)\\(");
  private static final Pattern CALL = Pattern.compile("(?<![.\\w])([a-z_][a-z_0-9]*)\\(");

  /** Limit for a package outside the API, without its package-info. */
  private static final int MOST_TYPES = 17;

  private static final Set<String> API =
      Set.of(
          "pgtoaster",
          "pgtoaster/blob",
          "pgtoaster/column",
          "pgtoaster/jsonb",
          "pgtoaster/error",
          "pgtoaster/spi",
          "pgtoaster/hibernate/blob",
          "pgtoaster/hibernate/jsonb",
          "pgtoaster/hibernate/query",
          "pgtoaster/spring/actuate",
          "pgtoaster/spring/tus");

  /** Limit for a file, without comments. */
  private static final int MOST_LINES = 400;

  private static final Pattern COMMENT = Pattern.compile("\\s*(/\\*|\\*|//).*");

  private static final Map<String, String> LONG =
      Map.of("DocumentState.java", "one state; separable parts are in other classes");

  @Test
  void modules_importOnlyAllowedPackagesOfCore() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : sources()) {
      if (file.startsWith(ROOT.resolve("core"))) {
        continue;
      }
      for (String line : Files.readAllLines(file)) {
        if (NOT_FOR_OTHERS.matcher(line).matches()) {
          found.add(ROOT.relativize(file) + ": " + line);
        }
      }
    }
    assertThat(found).as("other than the API, spi, and the shared parts of internal").isEmpty();
  }

  @Test
  void examplesAndPages_importOnlyTheApi() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files(ROOT.resolve("examples"), ".java")) {
      refuse(file, Files.readAllLines(file), NOT_FOR_USERS, found);
    }
    List<Path> pages = new ArrayList<>(files(Guide.FOLDER, ".md"));
    pages.add(ROOT.resolve("README.md"));
    for (Path page : pages) {
      List<String> imports =
          Files.readAllLines(page).stream().filter(line -> line.startsWith("import ")).toList();
      refuse(page, imports, NOT_FOR_USERS, found);
    }
    assertThat(found).isEmpty();
  }

  @Test
  void toastersOfOtherJars_importOnlyTheSpi() throws IOException {
    List<String> found = new ArrayList<>();
    List<Path> toys =
        files(ROOT.resolve("integration-tests/src/test/java/io/pgtoaster/it/toy"), "");
    assertThat(toys).isNotEmpty();
    for (Path file : toys) {
      Files.readAllLines(file).stream()
          .filter(line -> line.matches("import (static )?io\\.pgtoaster\\..*"))
          .filter(line -> !FOR_TOASTERS.matcher(line).matches())
          .forEach(line -> found.add(ROOT.relativize(file) + ": " + line));
    }
    assertThat(found).isEmpty();
  }

  private static void refuse(Path file, List<String> lines, Pattern pattern, List<String> found) {
    lines.stream()
        .filter(line -> pattern.matcher(line).find())
        .forEach(line -> found.add(ROOT.relativize(file) + ": " + line));
  }

  private static List<Path> files(Path folder, String end) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(f -> Files.isRegularFile(f) && f.toString().endsWith(end))
          .filter(f -> !f.toString().contains("/target/"))
          .toList();
    }
  }

  /**
   * A function in another schema on the search path may match the arguments better. SearchPathIT
   * tests operators.
   */
  @Test
  void statements_qualifyTheServersFunctions() throws IOException {
    Map<Path, List<String>> texts = new TreeMap<>();
    for (Path file : sources()) {
      if (file.startsWith(ROOT.resolve("benchmarks"))) {
        continue;
      }
      texts.put(
          file, LITERAL.matcher(Files.readString(file)).results().map(m -> m.group()).toList());
    }
    Set<String> functions =
        texts.values().stream()
            .flatMap(List::stream)
            .flatMap(text -> QUALIFIED.matcher(text).results())
            .map(m -> m.group(1))
            .collect(Collectors.toSet());
    List<String> found = new ArrayList<>();
    texts.forEach(
        (file, literals) -> {
          boolean sql = literals.stream().anyMatch(text -> text.contains("pg_catalog."));
          literals.stream()
              .filter(text -> sql || STATEMENT.matcher(text).find())
              .flatMap(text -> CALL.matcher(text).results())
              .map(m -> m.group(1))
              .filter(functions::contains)
              .forEach(name -> found.add(ROOT.relativize(file) + ": " + name));
        });
    assertThat(found).as("functions without pg_catalog").isEmpty();
  }

  @Test
  void packages_haveFewTypes() throws IOException {
    Map<Path, Integer> types = new TreeMap<>();
    for (Path file : sources()) {
      if (!file.endsWith("package-info.java")) {
        types.merge(file.getParent(), 1, Integer::sum);
      }
    }
    types.keySet().removeIf(folder -> API.stream().anyMatch(api -> folder.endsWith("io/" + api)));
    types.values().removeIf(count -> count <= MOST_TYPES);
    assertThat(types).isEmpty();
  }

  @Test
  void files_areShort() throws IOException {
    Map<String, Long> lines = new TreeMap<>();
    for (Path file : sources()) {
      try (Stream<String> text = Files.lines(file)) {
        long code = text.filter(line -> !COMMENT.matcher(line).matches()).count();
        if (code > MOST_LINES) {
          lines.put(file.getFileName().toString(), code);
        }
      }
    }
    assertThat(lines.keySet()).as("LONG gives the reasons").isEqualTo(LONG.keySet());
  }

  @Test
  void scripts_haveShortLines_andFewOfThem() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files(ROOT.resolve("core/src/main/resources/io/pgtoaster/sql"), ".sql")) {
      List<String> lines = Files.readAllLines(file);
      if (lines.size() > 500) {
        found.add(ROOT.relativize(file) + ": " + lines.size() + " lines");
      }
      lines.stream()
          .filter(line -> line.length() > 140)
          .forEach(line -> found.add(ROOT.relativize(file) + ": " + line));
    }
    assertThat(found).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> integrations = Files.list(ROOT.resolve("integrations"))) {
      Stream<Path> modules = Stream.concat(top, integrations);
      for (Path main : modules.map(m -> m.resolve("src/main/java")).toList()) {
        if (Files.isDirectory(main)) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(f -> f.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    assertThat(sources).hasSizeGreaterThan(500);
    return sources;
  }
}
