package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs all questions and searches on little data. The times are meaningless. */
@Tag("ci")
@Tag("turn-0")
class QuickRunIT {
  @TempDir Path directory;

  @Test
  void eachQuestion_isMeasured_andReported() throws Exception {
    assertThat(Main.execute("run", "--set=quick", "--out=" + directory)).isZero();
    String page = Page.of(Results.read(directory), Results.read(directory));
    for (int question = 1; question <= 9; question++) {
      assertThat(page).contains("\n## " + question + ". ");
    }
    if (System.getenv("CI") != null) {
      assertThat(page).contains("| extension |");
    }
    assertThat(Files.readString(directory.resolve("results.json")))
        .contains("\"wal\"", "\"trips\"", "\"elapsed\"", "\"gc.alloc.rate.norm\"");
    assertThat(Files.readString(directory.resolve("environment.json")))
        .contains("PostgreSQL", "Processor")
        .doesNotContain(System.getProperty("user.dir"));
  }

  @Test
  void cellsOfTheStandardSet_haveTheirOwnProcesses() throws Exception {
    String cell = "Appends.append contender=chunk tables size=1KiB piece=1B";
    assertThat(Main.execute("run", "--set=standard", "--only=" + cell, "--out=" + directory))
        .isZero();
    assertThat(Files.readString(directory.resolve("results.json")))
        .contains("chunk tables", "\"wal\"");
  }

  @Test
  void searches_findTheSame() {
    assertThat(Main.execute("search", "--size=20")).isZero();
  }
}
