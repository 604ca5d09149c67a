package io.pgtoaster.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.report.chart.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  static final List<Question> QUESTIONS =
      List.of(
          question(
              1,
              """
              {"title": "Time <b>", "benchmark": "Appends.append", "metric": "TIME", "x": "size",
               "bars": false, "where": {"piece": "1B"}, "shown": ["1KB", "100MB"],
               "references": [{"x": "100MB", "value": 1382000, "label": "the source"}]}
              """),
          question(
              3,
              """
              {"title": "In", "benchmark": "Streams.write", "metric": "MBPS", "x": "size",
               "bars": true}
              """));

  @TempDir Path directory;

  static Question question(int number, String chart) {
    return Question.of(
        number,
        """
        {"title": "How fast?", "charts": [%s], "contenders": ["bytea"], "cells": []}
        """
            .formatted(chart));
  }

  static Map<String, String> append(String contender, String size) {
    return Map.of("contender", contender, "size", size, "piece", "1B");
  }

  static ResultFiles files() {
    return new ResultFiles()
        .sure("Appends.append", append("bytea", "1KB"), 50)
        .sure("Appends.append", append("bytea", "100MB"), 500_000)
        .sure("Appends.append", append("chunk tables", "100MB"), 200)
        .sure("Appends.append", append("chunk tables", "1KB"), 190)
        .note("Appends.append", append("bytea", "1GB"), "a bytea cannot have 1 GB");
  }

  @Test
  void page_needsNothingElse_andFollowsTheReadersTheme() throws Exception {
    String page = HtmlReport.of(QUESTIONS, files().in(directory));

    assertThat(page)
        .doesNotContain("http", "src=", "<script", "<link", "@import", "url(")
        .contains("prefers-color-scheme:dark");
  }

  @Test
  void question_isAnsweredByLines_marksOfTheSources_figuresAndFootnotes() throws Exception {
    String page = HtmlReport.of(QUESTIONS, files().in(directory));

    assertThat(page)
        .contains("<svg", "chunk tables, size 100MB: 200 µs", "the source: 1.38 s")
        .contains(
            "<td>500 ms", "bytea not measured: a bytea cannot have 1 GB (piece 1B, size 1GB)");
  }

  @Test
  void whatAChartShows_isSaidInALine() throws Exception {
    assertThat(HtmlReport.of(QUESTIONS, files().in(directory)))
        .contains("<p>size 100MB: chunk tables 200 µs; bytea 2,500 ×</p>");
  }

  @Test
  void whatAChartShows_isOfWhereMostWereMeasured() throws Exception {
    String page =
        HtmlReport.of(
            QUESTIONS,
            files()
                .sure("Appends.append", append("extension", "100MB"), 100)
                .sure("Appends.append", append("chunk tables", "1GB"), 200)
                .sure("Appends.append", append("extension", "1GB"), 50)
                .in(directory));

    assertThat(page)
        .contains("<p>size 100MB: chunk tables 200 µs; extension 0.500 ×, bytea 2,500 ×</p>");
  }

  @Test
  void whatIsWithinTheNoise_isNoRatio() throws Exception {
    String page =
        HtmlReport.of(
            QUESTIONS,
            new ResultFiles()
                .add("Appends.append", append("chunk tables", "1KB"), 1, 80, 100, 120)
                .add("Appends.append", append("bytea", "1KB"), 1, 50, 70, 85)
                .in(directory));

    assertThat(page)
        .contains("<p>size 1KB: chunk tables 100 µs; bytea ≈ 0.700 ×</p>")
        .contains("<td>70 µs <i>50–85 µs</i>");
  }

  @Test
  void whatAnOperationCosts_hasColumnsOfItsOwn() throws Exception {
    assertThat(HtmlReport.of(QUESTIONS, files().in(directory)))
        .contains("<tr><th>size<th><th>log (WAL)\n", "<tr><th>1KB<th>bytea<td>100 B\n");
  }

  @Test
  void ofAPeerInSeveralForms_theBestIsSaid() throws Exception {
    String page =
        HtmlReport.of(
            QUESTIONS,
            new ResultFiles()
                .sure("Appends.append", append("chunk tables", "1KB"), 100)
                .sure("Appends.append", append("large object", "1KB"), 300)
                .sure("Appends.append", append("large object, SQL", "1KB"), 80)
                .in(directory));

    assertThat(page).contains("<p>size 1KB: chunk tables 100 µs; large object, SQL 0.800 ×</p>");
  }

  @Test
  void linesAreNamed_onNarrowScreens() throws Exception {
    assertThat(HtmlReport.of(QUESTIONS, files().in(directory)))
        .contains("<p class='legend'><span class='c0'>chunk tables</span>");
  }

  @Test
  void anAxis_hasTheNameThatTheChartGivesIt() throws Exception {
    Question question =
        question(
            1,
            """
            {"title": "x", "benchmark": "Appends.append", "metric": "TIME", "x": "size",
             "axis": "value size", "bars": false}
            """);

    assertThat(HtmlReport.of(List.of(question), files().in(directory)))
        .contains("class='axis mid'>value size</text>", "chunk tables, value size 100MB: 200 µs");
  }

  @Test
  void cellsThatWereLeftOut_areNotTakenForAllCombinations() throws Exception {
    String page =
        HtmlReport.of(
            QUESTIONS,
            files()
                .note("Appends.append", append("bytea", "100MB"), "too slow")
                .note("Appends.append", Map.of("size", "1GB", "piece", "1KB"), "too slow")
                .in(directory));

    assertThat(page).contains("too slow (piece 1B, size 100MB; piece 1KB, size 1GB)");
  }

  @Test
  void names_areEscaped() throws Exception {
    String page = HtmlReport.of(QUESTIONS, files().in(directory));

    assertThat(page).contains("Time &lt;b&gt;", "18.6 &lt;x&gt;").doesNotContain("<x>");
  }

  @Test
  void questionsWithoutFigures_areLeftOut() throws Exception {
    assertThat(HtmlReport.of(QUESTIONS, files().in(directory)))
        .contains("<section id='q1'>")
        .doesNotContain("<section id='q3'>");
  }

  @Test
  void sizes_areInOrder() throws Exception {
    Answer answer = Answer.of(QUESTIONS.get(0).charts().get(0), files().in(directory));

    assertThat(answer.xs()).containsExactly("1KB", "100MB");
    assertThat(answer.series().keySet()).containsExactly("chunk tables", "bytea");
  }

  @Test
  void questions_areNamedWhereTheyAreLinkedTo() throws Exception {
    assertThat(HtmlReport.of(QUESTIONS, files().in(directory)))
        .contains("<nav><a href='#q1'>Appends</a></nav>");
  }

  @Test
  void whereWeLose_isNamed_withTheReasons() throws Exception {
    assertThat(HtmlReport.of(QUESTIONS, files().in(directory)))
        .contains("<tr><th>Time &lt;b&gt;<td>bytea<td>1KB<td>50 µs<td>190 µs <i>3.80 ×</i><td>–")
        .contains("<li><code>bytea ||</code> rewrites the value");
  }

  @Test
  void ranges_areDrawn_andTies_areNamed() throws Exception {
    String page =
        HtmlReport.of(
            QUESTIONS,
            new ResultFiles()
                .add("Appends.append", append("chunk tables", "1KB"), 1, 80, 100, 120)
                .add("Appends.append", append("bytea", "1KB"), 1, 50, 70, 85)
                .add("Appends.append", append("bytea", "1MB"), 1, 70, 70, 70)
                .in(directory));

    assertThat(page)
        .contains("<path class='range c0'", "<path class='range c4'")
        .contains("<li><b>Time &lt;b&gt;</b>: bytea at 1KB");
    assertThat(page.split("class='range", -1)).hasSize(3);
  }
}
