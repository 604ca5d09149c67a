package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.figure.Measurement;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Minimal files of a run. */
public final class ResultFiles {
  private final List<Measurement> rounds = new ArrayList<>();

  /** Adds a cell with one round, in microseconds. */
  public ResultFiles add(
      String benchmark, Map<String, String> params, int threads, double... micros) {
    rounds.add(
        new Measurement(
            benchmark,
            params,
            threads,
            Map.of(
                Measurement.TIME,
                Arrays.stream(micros).boxed().toList(),
                "wal",
                List.of(100.0),
                "bytes",
                List.of(1048576.0))));
    return this;
  }

  /** Adds a cell with three almost equal iterations. */
  ResultFiles sure(String benchmark, Map<String, String> params, double micros) {
    return add(benchmark, params, 1, micros * 0.999, micros, micros * 1.001);
  }

  public Results in(Path directory) throws Exception {
    Files.createDirectories(directory);
    JsonMapper json = JsonMapper.shared();
    json.writeValue(directory.resolve(Results.RESULTS), rounds);
    json.writeValue(directory.resolve(Results.ENVIRONMENT), Map.of("PostgreSQL", "18.6 <x>"));
    json.writeValue(directory.resolve(Results.FOOTNOTES), List.of());
    return Results.read(directory);
  }
}
