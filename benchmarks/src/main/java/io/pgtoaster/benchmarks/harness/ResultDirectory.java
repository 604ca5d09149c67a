package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Cell;
import io.pgtoaster.benchmarks.report.Measurement;
import io.pgtoaster.benchmarks.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of a run. They are complete after each cell, so an interrupted run can be continued.
 */
final class ResultDirectory {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Facts that may differ between the rounds of one set. */
  private static final Set<String> MAY_DIFFER = Set.of("Date", "Rounds");

  private final Path results;
  private final List<Measurement> rounds = new ArrayList<>();

  /**
   * Creates the files, or opens those of the same run to continue it.
   *
   * @throws IllegalArgumentException if there are results of another commit, machine, server or set
   */
  ResultDirectory(Path directory, Map<String, String> facts) throws IOException {
    this.results = directory.resolve(Results.RESULTS);
    if (Files.exists(results)) {
      String difference = difference(Results.environment(directory), facts);
      if (!difference.isEmpty()) {
        throw new IllegalArgumentException(
            "the results in " + directory + " belong to another run: " + difference);
      }
      rounds.addAll(Results.measurements(directory));
    }
    Files.createDirectories(directory);
    JSON.writerWithDefaultPrettyPrinter().writeValue(directory.resolve(Results.ENVIRONMENT), facts);
  }

  /** Returns the first fact that differs; empty if none does. */
  private static String difference(Map<String, String> before, Map<String, String> now) {
    if (now.getOrDefault(Environment.COMMIT, "").endsWith(Environment.CHANGED)) {
      return "changes that are not committed may differ between the runs";
    }
    return now.keySet().stream()
        .filter(name -> !MAY_DIFFER.contains(name))
        .filter(name -> !Objects.equals(now.get(name), before.get(name)))
        .map(name -> name + " was " + before.get(name) + ", is " + now.get(name))
        .findFirst()
        .orElse("");
  }

  /** Returns how often a cell was measured. */
  long rounds(Cell cell) {
    return rounds.stream()
        .filter(m -> m.benchmark().equals(cell.benchmark()) && m.params().equals(cell.params()))
        .count();
  }

  /** Adds a round of a cell, as one line, so that ordinary tools can compare two runs. */
  void add(Measurement found) throws IOException {
    rounds.add(found);
    Files.writeString(
        results,
        rounds.stream()
            .map(JSON::writeValueAsString)
            .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
  }
}
