package io.pgtoaster.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run has written into its directory.
 *
 * @param figures one for each cell
 * @param environment where it ran
 * @param footnotes on what was not measured
 */
public record Results(
    List<Figure> figures, Map<String, String> environment, List<Footnote> footnotes) {
  /** JMH's own file. */
  public static final String RESULTS = "results.json";

  /** Where it ran. */
  public static final String ENVIRONMENT = "environment.json";

  /** What was not measured. */
  public static final String FOOTNOTES = "skipped.json";

  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * Reads a directory.
   *
   * @throws IOException if there are no results in it
   */
  public static Results read(Path directory) throws IOException {
    Path results = directory.resolve(RESULTS);
    if (!Files.exists(results)) {
      throw new IOException("there is no " + RESULTS + " in " + directory);
    }
    Map<String, Figure> figures = new LinkedHashMap<>();
    for (JsonNode entry : JSON.readTree(results)) {
      Figure figure = figure(entry);
      Figure known =
          figures.putIfAbsent(figure.benchmark() + figure.params() + figure.threads(), figure);
      if (known != null) {
        known.rounds().addAll(figure.rounds());
      }
    }
    return new Results(
        List.copyOf(figures.values()),
        JSON.readValue(directory.resolve(ENVIRONMENT), new TypeReference<Map<String, String>>() {}),
        JSON.readValue(directory.resolve(FOOTNOTES), new TypeReference<List<Footnote>>() {}));
  }

  private static Figure figure(JsonNode entry) {
    String[] name = entry.path("benchmark").asString().split("\\.", -1);
    Map<String, String> params = new LinkedHashMap<>();
    entry.path("params").forEachEntry((k, v) -> params.put(k, v.asString()));
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    samples.put(Metric.TIME.key(), samples(entry.path("primaryMetric")));
    entry.path("secondaryMetrics").forEachEntry((k, v) -> samples.put(k, samples(v)));
    return new Figure(
        name[name.length - 2] + "." + name[name.length - 1],
        params,
        entry.path("threads").asInt(),
        new ArrayList<>(List.of(samples)));
  }

  private static List<Double> samples(JsonNode metric) {
    List<Double> samples = new ArrayList<>();
    for (JsonNode fork : metric.path("rawData")) {
      for (JsonNode value : fork) {
        samples.add(value.asDouble());
      }
    }
    return samples;
  }

  /** Whether ranges are those of rounds: of each figure, where it was measured in all. */
  boolean enoughRounds() {
    return figures.stream().anyMatch(f -> f.rounds().size() >= Figure.ENOUGH_ROUNDS);
  }

  /** How far times are from each other, of those that were taken more than once. */
  String spread() {
    double[] spreads =
        figures.stream()
            .filter(f -> f.samples(Metric.TIME.key()).count() > 1)
            .mapToDouble(Figure::spread)
            .sorted()
            .toArray();
    return spreads.length == 0
        ? "taken once"
        : String.format(
            Locale.ROOT,
            "within ± %.0f %% of their median in half of the cells, ± %.0f %% in nine of ten",
            100 * spreads[spreads.length / 2],
            100 * spreads[spreads.length * 9 / 10]);
  }

  /** The one cell that has these parameters, among others. */
  Optional<Figure> find(String benchmark, Map<String, String> where) {
    return figures.stream().filter(f -> f.matches(benchmark, where)).findFirst();
  }
}
