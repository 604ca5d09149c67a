package io.pgtoaster.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocsPageTest {
  @TempDir Path directory;

  private String page() throws Exception {
    return DocsPage.of(
        HtmlReportTest.QUESTIONS,
        HtmlReportTest.files().in(directory),
        null,
        "benchmarks/results/x",
        "");
  }

  @Test
  void eachFigure_standsBesideItsRatio() throws Exception {
    assertThat(page())
        .contains("benchmarks/results/x")
        .contains("| chunk tables | 190 µs | **200 µs** | 100 B |")
        .contains("| bytea | **50 µs** (0.263 ×) | 500 ms (2,500 ×) | 100 B |")
        .contains("| *the source* |  | *1.38 s* |  |");
  }

  @Test
  void howOftenOursWinsTiesAndLoses_isCounted() throws Exception {
    ResultFiles files =
        new ResultFiles()
            .sure("Appends.append", HtmlReportTest.append("bytea", "1KB"), 50)
            .sure("Appends.append", HtmlReportTest.append("bytea", "10KB"), 100)
            .sure("Appends.append", HtmlReportTest.append("bytea", "100MB"), 500)
            .sure("Appends.append", HtmlReportTest.append("bare table", "1KB"), 1)
            .sure("Appends.append", HtmlReportTest.append("extension", "1KB"), 40)
            .sure("Appends.append", HtmlReportTest.append("extension", "1GB"), 40);
    for (String size : List.of("1KB", "10KB", "100MB")) {
      files.sure("Appends.append", HtmlReportTest.append("chunk tables", size), 105);
    }

    assertThat(page(files))
        .contains("| 1 / 1 / 1 | 1 / 0 / 0 |\n| All of them |  | 1 / 1 / 1 | 1 / 0 / 0 |");
  }

  @Test
  void theSecondSet_standsBelowTheFirst() throws Exception {
    String page =
        DocsPage.of(
            HtmlReportTest.QUESTIONS,
            HtmlReportTest.files().in(directory.resolve("x")),
            new ResultFiles()
                .sure("Appends.append", HtmlReportTest.append("chunk tables", "1KB"), 40)
                .sure("Appends.append", HtmlReportTest.append("bytea", "1KB"), 20)
                .in(directory.resolve("y")),
            "x",
            "");

    assertThat(page)
        .contains("| 1KB | 100MB | 1KB: synchronous_commit off | 100MB: log (WAL) |")
        .contains(
            "| bytea | **50 µs** (0.263 ×) | 500 ms (2,500 ×) | **20 µs** (0.500 ×) | 100 B |")
        .contains("| What | Who | synchronous_commit off |")
        .contains("| bytea at 1KB (3.80 × / –) | bytea at 1KB (2 × / –) |");
  }

  @Test
  void whatIsNoTime_andOnlyInTheSecondSet_isLostThereToo() throws Exception {
    Question log =
        HtmlReportTest.question(
            2,
            """
            {"title": "Log", "benchmark": "Appends.append", "metric": "WAL", "x": "size",
             "bars": false}
            """);
    Results first =
        new ResultFiles()
            .sure("Appends.append", HtmlReportTest.append("chunk tables", "1KB"), 40)
            .in(directory.resolve("x"));
    Map<String, String> ours = HtmlReportTest.append("chunk tables", "1MB");
    Map<String, String> theirs = HtmlReportTest.append("large object", "1MB");
    Results second =
        new Results(
            List.of(
                new Figure("Appends.append", ours, 1, List.of(Map.of("wal", List.of(300.0)))),
                new Figure("Appends.append", theirs, 1, List.of(Map.of("wal", List.of(200.0))))),
            Map.of(),
            List.of());

    assertThat(DocsPage.of(List.of(log), first, second, "x", ""))
        .contains("| Log |  | large object at 1MB (1.50 × / –) |");
  }

  private String page(ResultFiles files) throws Exception {
    return DocsPage.of(HtmlReportTest.QUESTIONS, files.in(directory), null, "x", "");
  }

  @Test
  void equalFigures_areBothTheBest() throws Exception {
    String page =
        page(
            new ResultFiles()
                .sure("Appends.append", HtmlReportTest.append("chunk tables", "1KB"), 40.01)
                .sure("Appends.append", HtmlReportTest.append("extension", "1KB"), 40.02)
                .sure("Appends.append", HtmlReportTest.append("bytea", "1KB"), 50));

    assertThat(page)
        .contains("| chunk tables | **40.0 µs** |", "| extension | **40.0 µs** (≈ 1.00 ×) |")
        .contains("| bytea | 50 µs (1.25 ×) |");
  }

  @Test
  void whereRangesOverlap_nobodyIsTheBest_andNobodyLoses() throws Exception {
    String page =
        page(
            new ResultFiles()
                .add(
                    "Appends.append", HtmlReportTest.append("chunk tables", "1KB"), 1, 80, 100, 120)
                .add("Appends.append", HtmlReportTest.append("bytea", "1KB"), 1, 50, 70, 85));

    assertThat(page)
        .contains("| chunk tables | 100 µs [80–120 µs] |")
        .contains("| bytea | 70 µs [50–85 µs] (≈ 0.700 ×) |")
        .contains("Nowhere in these sets, beside 1 tie.")
        .doesNotContain("| What |");
  }

  @Test
  void whereRangesDoNot_oneIsTheBest_andTheOtherLoses() throws Exception {
    String page =
        page(
            new ResultFiles()
                .add(
                    "Appends.append", HtmlReportTest.append("chunk tables", "1KB"), 1, 86, 100, 120)
                .add("Appends.append", HtmlReportTest.append("bytea", "1KB"), 1, 50, 70, 85));

    assertThat(page)
        .contains("| bytea | **70 µs** [50–85 µs] (0.700 ×) |")
        .contains("| Time <b> | bytea at 1KB (1.43 × / –) |")
        .doesNotContain("beside 1 tie");
  }

  @Test
  void aTimeThatWasTakenOnce_winsNothing() throws Exception {
    String page =
        page(
            new ResultFiles()
                .add("Appends.append", HtmlReportTest.append("chunk tables", "1KB"), 1, 100)
                .add("Appends.append", HtmlReportTest.append("bytea", "1KB"), 1, 50));

    assertThat(page)
        .contains("| bytea | 50 µs (≈ 0.500 ×) |", "Nowhere in these sets, beside 1 tie.");
  }

  @Test
  void ofThreeRounds_theirMediansAreTheRange() throws Exception {
    ResultFiles files = new ResultFiles();
    for (double slow : new double[] {500, 600, 700}) {
      files
          .add("Appends.append", HtmlReportTest.append("chunk tables", "1KB"), 1, 100, 104, slow)
          .add("Appends.append", HtmlReportTest.append("bytea", "1KB"), 1, 50, 51, slow);
    }

    assertThat(page(files))
        .contains("to the most of the rounds' medians")
        .contains("| chunk tables | 104 µs | 100 B |", "| bytea | **51 µs** (0.490 ×) |");
  }

  @Test
  void headings_areLinkedTo() {
    assertThat(DocsPage.anchor("3. How fast, by one?")).isEqualTo("3-how-fast-by-one");
  }

  @Test
  void whatOneOperationIs_isSaid() throws Exception {
    assertThat(page()).contains("One operation is one append");
  }

  @Test
  void theCaseWeLose_isNamed_withTheReason() throws Exception {
    assertThat(page())
        .contains("| Time <b> | bytea at 1KB (3.80 × / –) |")
        .contains("- A small append is one statement");
  }

  @Test
  void whereWeLoseNothing_itSaysSo() throws Exception {
    String page =
        DocsPage.of(
            HtmlReportTest.QUESTIONS,
            new ResultFiles()
                .sure("Appends.append", HtmlReportTest.append("extension", "1KB"), 40)
                .sure("Appends.append", HtmlReportTest.append("bare table", "1KB"), 10)
                .in(directory),
            null,
            "x",
            "");

    assertThat(page).contains("Nowhere in these sets.").doesNotContain("| What |");
  }

  @Test
  void ofAPeerInSeveralForms_theBestIsShown_ofEachColumn() throws Exception {
    String page =
        page(
            new ResultFiles()
                .sure("Appends.append", HtmlReportTest.append("chunk tables", "1KB"), 100)
                .sure("Appends.append", HtmlReportTest.append("chunk tables", "100MB"), 100)
                .sure("Appends.append", HtmlReportTest.append("large object", "1KB"), 80)
                .sure("Appends.append", HtmlReportTest.append("large object", "100MB"), 300)
                .sure("Appends.append", HtmlReportTest.append("large object, SQL", "1KB"), 90)
                .sure("Appends.append", HtmlReportTest.append("large object, SQL", "100MB"), 200));

    assertThat(page)
        .contains("| large object, best form | **80 µs** (0.800 ×) | 200 µs (2 ×) |")
        .contains("large object at 1KB (1.25 × / –), and 1 more");
  }

  @Test
  void whatIsNotShown_isOnlyInTheReport_butItsLossesAreNamed() throws Exception {
    String page =
        page(
            new ResultFiles()
                .sure("Appends.append", HtmlReportTest.append("chunk tables", "1MB"), 100)
                .sure("Appends.append", HtmlReportTest.append("bytea", "1MB"), 50));

    assertThat(page).doesNotContain("50 µs").contains("bytea at 1MB (2 × / –)");
  }
}
