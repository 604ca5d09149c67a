package io.pgtoaster.it.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The contract tests that do not run on a Citus cluster: {@code citus-exclusions.txt}. */
final class CitusExclusions {
  private static final Map<String, String> REASONS = read();

  private CitusExclusions() {}

  /** Returns the reason if the test is excluded. */
  static Optional<String> reason(String test) {
    return Optional.ofNullable(REASONS.get(test));
  }

  private static Map<String, String> read() {
    try (InputStream in = CitusExclusions.class.getResourceAsStream("/citus-exclusions.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(": ", 2))
          .collect(Collectors.toMap(line -> line[0], line -> line[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
