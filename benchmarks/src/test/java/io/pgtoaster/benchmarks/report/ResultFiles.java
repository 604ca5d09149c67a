package io.pgtoaster.benchmarks.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The files of a run, as small as they can be. */
final class ResultFiles {
  private final List<Map<String, Object>> entries = new ArrayList<>();
  private final List<Footnote> footnotes = new ArrayList<>();

  /** Adds a cell of one round: microseconds. */
  ResultFiles add(String benchmark, Map<String, String> params, int threads, double... micros) {
    entries.add(
        Map.of(
            "benchmark",
            "io.pgtoaster.benchmarks.question." + benchmark,
            "threads",
            threads,
            "params",
            params,
            "primaryMetric",
            Map.of("rawData", List.of(micros)),
            "secondaryMetrics",
            Map.of(
                "wal", Map.of("rawData", List.of(List.of(100))),
                "bytes", Map.of("rawData", List.of(List.of(1 << 20))))));
    return this;
  }

  /** The same of three iterations that are as good as equal. */
  ResultFiles sure(String benchmark, Map<String, String> params, double micros) {
    return add(benchmark, params, 1, micros * 0.999, micros, micros * 1.001);
  }

  ResultFiles note(String benchmark, Map<String, String> params, String reason) {
    footnotes.add(new Footnote(benchmark, params, reason));
    return this;
  }

  Results in(Path directory) throws Exception {
    Files.createDirectories(directory);
    JsonMapper json = JsonMapper.shared();
    json.writeValue(directory.resolve(Results.RESULTS), entries);
    json.writeValue(directory.resolve(Results.ENVIRONMENT), Map.of("PostgreSQL", "18.6 <x>"));
    json.writeValue(directory.resolve(Results.FOOTNOTES), footnotes);
    return Results.read(directory);
  }
}
