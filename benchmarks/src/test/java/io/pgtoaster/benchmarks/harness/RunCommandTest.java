package io.pgtoaster.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.question.Plan;
import io.pgtoaster.benchmarks.report.Question;
import io.pgtoaster.benchmarks.report.figure.Results;
import io.pgtoaster.benchmarks.trial.Available;
import io.pgtoaster.benchmarks.trial.Scale;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong options are rejected before a server starts. */
class RunCommandTest {
  @TempDir Path directory;

  private static String refused(String... arguments) {
    PrintStream before = System.err;
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      System.setErr(stream);
      assertThat(Main.execute(arguments)).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "--question=10, there is no question 10",
    "--sync=maybe, --sync is on or off",
    "--rounds=-1, --rounds is 1 or more",
    "--forks=2, --forks 0 or 1",
    "--forks=-1, --forks 0 or 1",
    "--server-version=14, --server-version is 15 to 19",
    "--url=jdbc:postgresql://localhost:1/postgres, Connection to localhost:1 refused",
    "--url=localhost, localhost",
    "--mongodb=localhost:27017, --mongodb is mongodb://host:port",
  })
  void wrongArgument_isReported(String argument, String message) {
    assertThat(refused("run", "--out=" + directory.resolve("new"), argument))
        .startsWith("benchmarks/run: ")
        .contains(message)
        .doesNotContain("\tat ");
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void runWithoutADirectory_fails() {
    assertThat(refused("run")).contains("--out DIR");
  }

  @Test
  void resultsOfAnotherRun_areNotOverwritten() throws Exception {
    Path results = directory.resolve(Results.RESULTS);
    Files.writeString(results, "kept");

    assertThat(refused("run", "--out=" + directory)).contains("--append", "--replace");
    assertThat(refused("run", "--out=" + directory, "--append", "--replace")).contains("--append");
    assertThat(results).hasContent("kept");
  }

  @Test
  void lineOfTheList_isAPatternThatMatchesOnlyItself() {
    Plan plan =
        new Plan(Scale.STANDARD, new Available(true, true, "MongoDB", true, false, 2, true));
    Question.all().forEach(plan::add);

    assertThat(plan.cells())
        .allSatisfy(
            cell -> {
              String line = RunCommand.line(cell.benchmark(), cell.params());
              assertThat(line).containsPattern(line).doesNotContain("{");
            });
    assertThat(plan.cells().stream().map(c -> RunCommand.line(c.benchmark(), c.params())))
        .anyMatch(line -> Pattern.compile("append.*100MB").matcher(line).find());
  }
}
