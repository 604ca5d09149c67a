package io.pgtoaster.benchmarks.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GuardTest {
  /** The working directory of tests is their module. */
  private static final Path KEPT = Path.of("results", "guard.txt");

  @Test
  void eachOperation_byEachExecutor_hasCommittedCounts() throws Exception {
    assertThat(new Guard(KEPT, name -> true, true).read().keySet())
        .containsExactlyElementsOf(Guard.names());
  }

  @Test
  void eachName_fitsItsColumn() throws Exception {
    assertThat(new Guard(KEPT, name -> true, true).read().values())
        .allSatisfy(line -> assertThat(line.text()).hasSameSizeAs(Line.header()));
  }
}
