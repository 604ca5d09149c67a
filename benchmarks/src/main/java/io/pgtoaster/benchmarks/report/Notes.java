package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
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

  private Notes() {}

  static List<String> of(Section section, List<Footnote> footnotes) {
    Map<String, List<Footnote>> byReason = new LinkedHashMap<>();
    for (Footnote note : footnotes) {
      if (section.asks(note.benchmark())) {
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

  /** The parameters in which these cells do not agree with all others, with their values. */
  private static String where(List<Footnote> notes) {
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
