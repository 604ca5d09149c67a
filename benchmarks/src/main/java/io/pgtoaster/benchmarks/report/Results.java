package io.pgtoaster.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The contents of a run's directory.
 *
 * @param figures one figure per cell
 * @param environment facts about the environment
 */
public record Results(List<Figure> figures, Map<String, String> environment) {
  /** A line for each round of a cell. */
  public static final String RESULTS = "results.json";

  /** Facts about the environment. */
  public static final String ENVIRONMENT = "environment.json";

  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * Reads a directory.
   *
   * @throws IOException if there are no results in it
   */
  public static Results read(Path directory) throws IOException {
    if (!Files.exists(directory.resolve(RESULTS))) {
      throw new IOException("there is no " + RESULTS + " in " + directory);
    }
    Map<String, Figure> figures = new LinkedHashMap<>();
    for (Measurement m : measurements(directory)) {
      figures
          .computeIfAbsent(
              m.benchmark() + m.params() + m.threads(),
              cell -> new Figure(m.benchmark(), m.params(), m.threads(), new ArrayList<>()))
          .rounds()
          .add(m.samples());
    }
    return new Results(List.copyOf(figures.values()), environment(directory));
  }

  /** Returns the rounds of a directory one by one. */
  public static List<Measurement> measurements(Path directory) {
    return JSON.readValue(directory.resolve(RESULTS), new TypeReference<List<Measurement>>() {});
  }

  /** Returns the facts about the environment of a directory. */
  public static Map<String, String> environment(Path directory) {
    return JSON.readValue(
        directory.resolve(ENVIRONMENT), new TypeReference<Map<String, String>>() {});
  }
}
