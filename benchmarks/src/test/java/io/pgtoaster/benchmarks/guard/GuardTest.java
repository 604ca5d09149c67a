package io.pgtoaster.benchmarks.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GuardTest {
  /** The working directory of tests is their module. */
  private static final Path KEPT = Path.of("results", "guard.txt");

  @Test
  void eachOperation_byEachExecutor_hasCommittedCounts() throws Exception {
    assertThat(new Guard(KEPT, name -> true, true).read().stream().map(Line::name))
        .containsExactlyElementsOf(Guard.names());
  }

  @Test
  void eachName_fitsItsColumn() throws Exception {
    assertThat(new Guard(KEPT, name -> true, true).read())
        .allSatisfy(line -> assertThat(line.text()).hasSameSizeAs(Line.header()));
  }
}
