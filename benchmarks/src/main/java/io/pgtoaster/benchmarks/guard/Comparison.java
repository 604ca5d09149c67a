package io.pgtoaster.benchmarks.guard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Compares new counts with saved ones. */
final class Comparison {
  private final Map<String, Line> kept;
  private final List<Line> now;
  private final List<String> worse = new ArrayList<>();
  private final List<String> better = new ArrayList<>();

  /**
   * Compares the counts.
   *
   * @param kept kept lines
   * @param now new lines
   * @param wanted matches the names of the saved lines that should have been counted
   */
  Comparison(List<Line> kept, List<Line> now, Predicate<String> wanted) {
    this.kept = byName(kept);
    this.now = now;
    for (Line line : now) {
      compare(line);
    }
    Set<String> counted = byName(now).keySet();
    this.kept.keySet().stream()
        .filter(wanted)
        .filter(name -> !counted.contains(name))
        .forEach(name -> worse.add(name + ": has saved counts, but was not counted"));
  }

  private static Map<String, Line> byName(List<Line> lines) {
    Map<String, Line> map = new LinkedHashMap<>();
    lines.forEach(line -> map.put(line.name(), line));
    return map;
  }

  private void compare(Line line) {
    Line before = kept.get(line.name());
    if (before == null) {
      worse.add(line.name() + ": has no saved counts");
      return;
    }
    for (Count count : Count.values()) {
      int moved = count.moved(before, line);
      if (moved != 0) {
        (moved > 0 ? worse : better)
            .add(
                "%s: %s, kept %s, now %s"
                    .formatted(
                        line.name(),
                        count.title(),
                        count.text(before.value(count)),
                        count.text(line.value(count))));
      }
    }
  }

  /** Returns whether an operation costs more than before, or one side lacks an operation. */
  boolean failed() {
    return !worse.isEmpty();
  }

  /**
   * Returns the changes, and the verdict as the last line.
   *
   * @param accepted whether the new counts replace the saved ones
   */
  String text(boolean accepted) {
    StringBuilder text = new StringBuilder();
    worse.forEach(line -> text.append("worse: ").append(line).append('\n'));
    better.forEach(line -> text.append("better: ").append(line).append('\n'));
    text.append(now.size()).append(" operations, ").append(worse.size()).append(" counts worse, ");
    text.append(better.size()).append(" better: ");
    text.append(accepted ? "accepted" : failed() ? "FAILED" : "as kept");
    if (!accepted && !(worse.isEmpty() && better.isEmpty())) {
      text.append("; to accept: benchmarks/run guard --accept");
    }
    return text.append('\n').toString();
  }

  /**
   * Returns the lines to save: changed lines replace the saved ones. Unchanged lines are not
   * replaced, so they do not drift; lines that were not counted stay.
   *
   * @param names names of all operations, in order
   */
  List<Line> accepted(List<String> names) {
    Map<String, Line> lines = byName(now);
    lines.replaceAll((name, line) -> same(line) ? kept.get(name) : line);
    kept.forEach(lines::putIfAbsent);
    return names.stream().map(lines::get).filter(Objects::nonNull).toList();
  }

  private boolean same(Line line) {
    Line before = kept.get(line.name());
    return before != null && Stream.of(Count.values()).allMatch(c -> c.moved(before, line) == 0);
  }
}
