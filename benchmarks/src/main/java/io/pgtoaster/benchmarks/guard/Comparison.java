package io.pgtoaster.benchmarks.guard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares new counts with saved ones, both by the names of their lines. */
final class Comparison {
  private final Map<String, Line> kept;
  private final Map<String, Line> now;
  private final List<String> worse = new ArrayList<>();
  private final List<String> better = new ArrayList<>();

  /**
   * Compares the counts.
   *
   * @param wanted matches the names of the saved lines that should have been counted
   */
  Comparison(Map<String, Line> kept, Map<String, Line> now, Predicate<String> wanted) {
    this.kept = kept;
    this.now = now;
    now.forEach((name, line) -> compare(name, kept.get(name), line));
    kept.keySet().stream()
        .filter(wanted)
        .filter(name -> !now.containsKey(name))
        .forEach(name -> worse.add(name + ": has saved counts, but was not counted"));
  }

  private void compare(String name, @Nullable Line before, Line line) {
    if (before == null) {
      worse.add(name + ": has no saved counts");
      return;
    }
    for (Count count : Count.values()) {
      int moved = count.moved(before, line);
      if (moved != 0) {
        String text =
            "%s: %s, saved %s, now %s"
                .formatted(name, count.title(), count.text(before), count.text(line));
        (moved > 0 ? worse : better).add(text);
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
    boolean same = worse.isEmpty() && better.isEmpty();
    return text.append(
            "%d operations, %d counts worse, %d better: %s%s\n"
                .formatted(
                    now.size(),
                    worse.size(),
                    better.size(),
                    accepted ? "accepted" : failed() ? "FAILED" : "passed",
                    accepted || same ? "" : "; to accept: benchmarks/run guard --accept"))
        .toString();
  }

  /**
   * Returns the lines to save: changed lines replace the saved ones. Unchanged lines are not
   * replaced, so they do not drift; lines that were not counted stay.
   *
   * @param names names of all operations, in order
   */
  List<Line> accepted(List<String> names) {
    Map<String, Line> lines = new LinkedHashMap<>(now);
    lines.replaceAll((name, line) -> same(kept.get(name), line) ? kept.get(name) : line);
    kept.forEach(lines::putIfAbsent);
    return names.stream().map(lines::get).filter(Objects::nonNull).toList();
  }

  private static boolean same(@Nullable Line before, Line line) {
    return before != null && Stream.of(Count.values()).allMatch(c -> c.moved(before, line) == 0);
  }
}
