package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.figure.Footnote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Footnotes in few lines: cells with the same reason together. */
final class Notes {
  /** More are not told one by one. */
  private static final int FEW = 8;

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

  /** The parameters of these cells, contenders apart; how many there are, if they are many. */
  private static String where(List<Footnote> notes) {
    List<String> cells =
        notes.stream()
            .map(
                note ->
                    note.params().entrySet().stream()
                        .filter(p -> !p.getKey().equals("contender"))
                        .map(p -> p.getKey() + " " + p.getValue())
                        .sorted()
                        .collect(Collectors.joining(", ")))
            .distinct()
            .toList();
    return cells.size() > FEW
        ? " (" + notes.size() + " cells)"
        : cells.equals(List.of("")) ? "" : " (" + String.join("; ", cells) + ")";
  }
}
