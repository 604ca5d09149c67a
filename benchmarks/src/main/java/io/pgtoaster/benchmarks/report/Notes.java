package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Footnotes in few lines: cells with the same reason together. */
final class Notes {
  /** What more cells have in common is that they are many. */
  private static final int MOST = 30;

  /** More are not told one by one. */
  private static final int FEW = 4;

  private Notes() {}

  static List<String> of(Question question, List<Footnote> footnotes) {
    Map<String, List<Footnote>> byReason = new LinkedHashMap<>();
    for (Footnote note : footnotes) {
      if (question.asks(note.benchmark())) {
        byReason.computeIfAbsent(note.reason(), r -> new ArrayList<>()).add(note);
      }
    }
    List<String> lines = new ArrayList<>();
    byReason.forEach(
        (reason, notes) ->
            lines.add(contenders(notes) + " not measured: " + reason + where(notes)));
    return lines;
  }

  private static String contenders(List<Footnote> notes) {
    return notes.stream()
        .map(n -> n.params().getOrDefault("contender", ""))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /**
   * The values that were left out together, where not all of them were with all others: {@code 10B}
   * of 1 MB and 10 KB of 1 GB are not 10 B of 1 GB; empty if it takes no care.
   */
  private static String combined(List<Footnote> notes) {
    Map<String, Set<String>> values = new TreeMap<>();
    Set<String> rows = new LinkedHashSet<>();
    for (Footnote note : notes) {
      Map<String, String> rest = new TreeMap<>(note.params());
      rest.remove("contender");
      rest.forEach((name, value) -> values.computeIfAbsent(name, n -> new HashSet<>()).add(value));
      rows.add(
          rest.entrySet().stream()
              .map(e -> e.getKey() + " " + e.getValue())
              .collect(Collectors.joining(", ")));
    }
    long all = values.values().stream().mapToLong(Set::size).reduce(1, (a, b) -> a * b);
    return rows.size() == all || rows.size() > FEW ? "" : " (" + String.join("; ", rows) + ")";
  }

  /** The parameters in which these cells do not agree with all others, with their values. */
  private static String where(List<Footnote> notes) {
    String combined = combined(notes);
    if (!combined.isEmpty()) {
      return combined;
    }
    Map<String, Set<String>> values = new TreeMap<>();
    for (Footnote note : notes) {
      note.params()
          .forEach(
              (name, value) -> {
                if (!name.equals("contender")) {
                  values.computeIfAbsent(name, n -> new LinkedHashSet<>()).add(value);
                }
              });
    }
    if (notes.size() > MOST || values.isEmpty()) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    values.forEach((name, all) -> parts.add(name + " " + String.join(", ", all)));
    return " (" + String.join("; ", parts) + ")";
  }
}
