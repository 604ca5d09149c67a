package io.pgtoaster.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocsPageTest {
  @TempDir Path directory;

  private String page() throws Exception {
    return DocsPage.of(
        HtmlReportTest.SECTIONS, HtmlReportTest.files().in(directory), "benchmarks/results/x");
  }

  @Test
  void eachFigure_standsBesideItsRatio() throws Exception {
    assertThat(page())
        .contains("benchmarks/results/x")
        .contains("| chunk tables | 190 µs | 200 µs |")
        .contains("| bytea | 50 µs (0.263 ×) | 500 ms (2,500 ×) |");
  }

  @Test
  void whatOneOperationIs_isSaid() throws Exception {
    assertThat(page()).contains("One operation is one append");
  }

  @Test
  void theCaseWeLose_isNamed_withTheReason() throws Exception {
    assertThat(page())
        .contains("size 1KB: bytea has 50 µs, this library 190 µs (3.80 ×)")
        .contains("Why:");
  }

  @Test
  void whereWeLoseNothing_itSaysSo() throws Exception {
    String page =
        DocsPage.of(
            HtmlReportTest.SECTIONS,
            new ResultFiles()
                .add("Appends.append", HtmlReportTest.append("extension", "1KB"), 1, 40)
                .add("Appends.append", HtmlReportTest.append("bare table", "1KB"), 1, 10)
                .in(directory),
            "x");

    assertThat(page).contains("Nowhere in this set").doesNotContain("Why:");
  }
}
