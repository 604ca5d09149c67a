package io.pgtoaster.it.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counts what tests have done, for docs/guarantees.md. With the property
 * pgtoaster.test.guarantees=write the counts go into each test's line there, otherwise into
 * target/guarantees.
 */
public final class Figures {
  private static final Path GUARANTEES = Path.of("..", "docs", "guarantees.md");
  private static final Map<String, Map<String, Long>> COUNTS = new TreeMap<>();

  private Figures() {}

  /**
   * Adds to a count.
   *
   * @param test class and method, as in docs/guarantees.md
   * @param what the counted things, in the plural
   */
  public static synchronized void add(String test, String what, long count) {
    Map<String, Long> counts = COUNTS.computeIfAbsent(test, k -> new TreeMap<>());
    counts.merge(what, count, Long::sum);
    String text =
        counts.entrySet().stream()
            .map(e -> "%,d %s".formatted(e.getValue(), e.getKey()))
            .collect(Collectors.joining(", "));
    try {
      Path directory = Files.createDirectories(Path.of("target", "guarantees"));
      Files.writeString(directory.resolve(test.replace('#', '.') + ".txt"), text + "\n");
      if ("write".equals(System.getProperty("pgtoaster.test.guarantees"))) {
        write(test, text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces the last cell of the line that names the test first. */
  private static void write(String test, String text) throws IOException {
    String lines =
        Files.readAllLines(GUARANTEES).stream()
            .map(
                line ->
                    line.contains("| `" + test + "`")
                        ? line.replaceAll("\\|[^|]*\\|$", "| " + text + " |")
                        : line)
            .collect(Collectors.joining("\n", "", "\n"));
    Files.writeString(GUARANTEES, lines);
  }
}
