package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.report.figure.Footnote;
import io.pgtoaster.benchmarks.report.figure.Measurement;
import io.pgtoaster.benchmarks.report.figure.Results;
import io.pgtoaster.benchmarks.trial.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of a run. They are complete after each cell, so a later run can continue after an
 * aborted one.
 */
final class ResultDirectory {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String FAILED = "FAILED";

  /** Facts that may differ between the rounds of one set. */
  private static final Set<String> MAY_DIFFER = Set.of("Date", Environment.ROUNDS);

  private final Path directory;
  private final List<Measurement> rounds = new ArrayList<>();
  private final List<Footnote> footnotes = new ArrayList<>();

  ResultDirectory(Path directory, Map<String, String> facts) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
    lines();
    write(Results.ENVIRONMENT, facts);
    write(Results.FOOTNOTES, footnotes);
  }

  /**
   * Opens the results of an earlier run, finished or aborted, to add more; creates the files if
   * there are none.
   *
   * @throws IllegalArgumentException if the results belong to another commit, machine, server or
   *     set
   */
  static ResultDirectory append(Path directory, Map<String, String> facts) throws IOException {
    if (!Files.exists(directory.resolve(Results.RESULTS))) {
      return new ResultDirectory(directory, facts);
    }
    Results known = Results.read(directory);
    String difference = difference(known.environment(), facts);
    if (!difference.isEmpty()) {
      throw new IllegalArgumentException(
          "the results in " + directory + " belong to another run: " + difference);
    }
    List<Measurement> before = Results.measurements(directory);
    Map<String, String> all = new LinkedHashMap<>(known.environment());
    all.put(Environment.ROUNDS, facts.getOrDefault(Environment.ROUNDS, ""));
    ResultDirectory made = new ResultDirectory(directory, all);
    made.rounds.addAll(before);
    // Failed cells are measured again.
    known.footnotes().stream().filter(f -> !f.reason().equals(FAILED)).forEach(made.footnotes::add);
    made.lines();
    made.write(Results.FOOTNOTES, made.footnotes);
    return made;
  }

  /** Returns the first fact that differs; empty if none does. */
  static String difference(Map<String, String> before, Map<String, String> now) {
    if (now.getOrDefault(Environment.COMMIT, "").endsWith(Environment.CHANGED)) {
      return "changes that are not committed may differ between the runs";
    }
    return Stream.concat(before.keySet().stream(), now.keySet().stream())
        .filter(name -> !MAY_DIFFER.contains(name))
        .filter(name -> !before.getOrDefault(name, "").equals(now.getOrDefault(name, "")))
        .findFirst()
        .map(name -> name + " was " + before.get(name) + ", is " + now.get(name))
        .orElse("");
  }

  /** Returns how often a cell was measured. */
  long rounds(Cell cell) {
    return rounds.stream()
        .filter(m -> m.benchmark().equals(cell.benchmark()) && m.params().equals(cell.params()))
        .count();
  }

  void footnote(String benchmark, Map<String, String> params, String reason) {
    Footnote note = new Footnote(benchmark, params, reason);
    if (!footnotes.contains(note)) {
      footnotes.add(note);
    }
    write(Results.FOOTNOTES, footnotes);
  }

  /** Adds the outcome of a cell and returns a summary. */
  String add(Cell cell, CellRunner.Outcome outcome) throws IOException {
    Measurement found = outcome.found();
    if (found == null) {
      System.out.println(outcome.output());
      footnote(cell.benchmark(), cell.params(), FAILED);
      return FAILED;
    }
    rounds.add(found);
    lines();
    write(Results.FOOTNOTES, footnotes);
    return String.format(Locale.ROOT, "%,.1f us/op", found.time());
  }

  /** Writes one line per cell, so that ordinary tools can compare two runs. */
  private void lines() throws IOException {
    Files.writeString(
        directory.resolve(Results.RESULTS),
        rounds.stream()
            .map(JSON::writeValueAsString)
            .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
  }

  private void write(String file, Object content) {
    JSON.writerWithDefaultPrettyPrinter().writeValue(directory.resolve(file), content);
  }
}
