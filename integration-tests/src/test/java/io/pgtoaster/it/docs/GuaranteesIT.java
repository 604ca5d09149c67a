package io.pgtoaster.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that docs/guarantees.md names exist. */
class GuaranteesIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
  private static final Pattern COUNTED = Pattern.compile("Figures\\s*\\.add\\(\\s*\"(\\w+#\\w+)\"");

  private static List<String> promises() throws IOException {
    return Files.readAllLines(ROOT.resolve("docs/guarantees.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| promise "))
        .toList();
  }

  /** Returns the sources of test classes by simple name. */
  private static Map<String, String> tests() throws IOException {
    Map<String, String> tests = new HashMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(module)) {
          try (Stream<Path> files = Files.walk(module)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
              String name = file.getFileName().toString().replace(".java", "");
              tests.merge(name, Files.readString(file), String::concat);
            }
          }
        }
      }
    }
    return tests;
  }

  @Test
  void everyPromise_namesTestsThatExist() throws Exception {
    Map<String, String> tests = tests();
    List<String> missing = new ArrayList<>();
    assertThat(promises()).hasSizeGreaterThan(30);
    for (String promise : promises()) {
      List<MatchResult> named = TEST.matcher(promise).results().toList();
      assertThat(named).as(promise).isNotEmpty();
      for (MatchResult test : named) {
        if (!tests.getOrDefault(test.group(1), "").contains("void " + test.group(2) + "(")) {
          missing.add(test.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyPromise_hasThreeCells() throws Exception {
    assertThat(promises()).allMatch(line -> line.matches("\\| [^|]+ \\| `[^|]+` \\| ?[^|]*\\|"));
  }

  /** A figure is written to the line that names its test first. */
  @Test
  void everyTestWithFigures_isNamedFirst() throws Exception {
    List<String> lines = promises();
    List<String> counted =
        tests().values().stream()
            .flatMap(source -> COUNTED.matcher(source).results().map(found -> found.group(1)))
            .distinct()
            .toList();
    assertThat(counted)
        .hasSizeGreaterThan(3)
        .allSatisfy(
            test -> assertThat(lines).filteredOn(l -> l.contains("| `" + test + "`")).hasSize(1));
  }
}
