package io.pgtoaster.benchmarks.question;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of a run. They are complete after each cell, so an interrupted run can be continued.
 *
 * @param directory directory of the files
 * @param measurements each round of each cell
 * @param environment facts about the environment
 */
record Results(Path directory, List<Measurement> measurements, Map<String, String> environment) {
  private static final String RESULTS = "results.json";
  private static final String ENVIRONMENT = "environment.json";
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Facts that may differ between the rounds of one set. */
  private static final Set<String> MAY_DIFFER = Set.of("Date", "Rounds");

  /**
   * The result of one round of a cell: a line of the file.
   *
   * @param benchmark class and method
   * @param params parameters by name
   * @param threads number of concurrent threads
   * @param samples samples by metric, one per iteration; times in microseconds
   */
  record Measurement(
      String benchmark,
      Map<String, String> params,
      int threads,
      Map<String, List<Double>> samples) {
    Figure figure(List<Map<String, List<Double>>> rounds) {
      return new Figure(benchmark, params, threads, rounds);
    }
  }

  /**
   * Reads a directory.
   *
   * @throws IOException if there are no results in it
   */
  static Results read(Path directory) throws IOException {
    Path file = directory.resolve(RESULTS);
    if (!Files.exists(file)) {
      throw new IOException("there is no " + RESULTS + " in " + directory);
    }
    return new Results(
        directory,
        JSON.readValue(file, new TypeReference<List<Measurement>>() {}),
        JSON.readValue(
            directory.resolve(ENVIRONMENT), new TypeReference<Map<String, String>>() {}));
  }

  /**
   * Creates the files, or opens those of the same run to continue it.
   *
   * @throws IllegalArgumentException if there are results of another commit, machine, server or set
   */
  static Results open(Path directory, Map<String, String> facts) throws IOException {
    List<Measurement> measurements = new ArrayList<>();
    if (Files.exists(directory.resolve(RESULTS))) {
      Results before = read(directory);
      String difference = difference(before.environment, facts);
      if (!difference.isEmpty()) {
        throw new IllegalArgumentException(
            "the results in " + directory + " belong to another run: " + difference);
      }
      measurements.addAll(before.measurements);
    }
    Files.createDirectories(directory);
    JSON.writerWithDefaultPrettyPrinter().writeValue(directory.resolve(ENVIRONMENT), facts);
    return new Results(directory, measurements, facts);
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
    return measurements.stream()
        .filter(m -> m.benchmark.equals(cell.benchmark()) && m.params.equals(cell.params()))
        .count();
  }

  /** Adds a round of a cell, as one line, so that ordinary tools can compare two runs. */
  void add(Measurement found) throws IOException {
    measurements.add(found);
    Files.writeString(
        directory.resolve(RESULTS),
        measurements.stream()
            .map(JSON::writeValueAsString)
            .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
  }

  /** Returns one figure per cell. */
  List<Figure> figures() {
    Map<String, Figure> figures = new LinkedHashMap<>();
    for (Measurement m : measurements) {
      figures
          .computeIfAbsent(m.benchmark + m.params + m.threads, cell -> m.figure(new ArrayList<>()))
          .rounds()
          .add(m.samples);
    }
    return List.copyOf(figures.values());
  }
}
