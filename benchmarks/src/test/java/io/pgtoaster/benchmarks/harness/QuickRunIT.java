package io.pgtoaster.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.report.Page;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs all questions on little data, and processes the results. */
@Tag("ci")
class QuickRunIT {
  @TempDir Path directory;

  @Test
  void eachQuestion_isMeasured_andReported() throws Exception {
    Path out = directory.resolve("run");
    assertThat(Main.execute("run", "--set=quick", "--out=" + out)).isZero();
    String page = Page.of(Results.read(out), Results.read(out));
    for (int question = 1; question <= 9; question++) {
      assertThat(page).contains("\n## " + question + ". ");
    }
    if (System.getenv("CI") != null) {
      assertThat(page).contains("| extension |");
    }
    assertThat(Files.readString(out.resolve("results.json")))
        .contains("\"wal\"", "\"pages\"", "\"gc.alloc.rate.norm\"")
        .doesNotContain("jvmArgs", System.getProperty("java.home"));
    assertThat(Files.readString(out.resolve("environment.json")))
        .contains("PostgreSQL", "Processor")
        .doesNotContain(System.getProperty("user.dir"));
  }

  @Test
  void contenders_runInSeparateProcesses() throws Exception {
    Path out = directory.resolve("run");

    assertThat(
            Main.execute(
                "run",
                "--set=quick",
                "--forks=1",
                "--only=Appends.append contender=chunk tables",
                "--out=" + out))
        .isZero();

    assertThat(Files.readString(out.resolve("results.json"))).contains("chunk tables", "\"wal\"");
  }
}
