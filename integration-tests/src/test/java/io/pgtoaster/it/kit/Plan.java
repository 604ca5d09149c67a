package io.pgtoaster.it.kit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Decides which suite runs in which settings. Each contract, option and kind of key must occur with
 * each version, executor and connection mode, and these with each other. A greedy algorithm chooses
 * the cell with the most missing pairs and the fewest options, so the same suites always result in
 * the same plan. If only the newest version runs, each contract must occur with each toaster.
 *
 * <p>All pairs would take too long for a CI run, so each run takes {@linkplain #part a part} of
 * them.
 */
public final class Plan {
  /** One run of all contracts of a suite. */
  public record Cell(Suite suite, Setting setting) {
    @Override
    public String toString() {
      return suite + " on " + setting;
    }
  }

  /** The number of runs that together cover all pairs. */
  public static final int PARTS = 6;

  private static Plan chosen;

  private final Map<Cell, Set<String>> candidates;
  private final List<Cell> cells;

  private Plan(Map<Cell, Set<String>> candidates, List<Cell> cells) {
    this.candidates = candidates;
    this.cells = cells;
  }

  /** Returns the plan of this run, for all suites of the integration tests. */
  static synchronized Plan chosen() {
    if (chosen == null) {
      Breadth breadth = Breadth.chosen();
      Plan all = of(breadth, breadth.versions(), breadth.executors(), Suite.all());
      chosen = chosenPart() == 0 ? all : all.part(chosenPart());
    }
    return chosen;
  }

  /** Returns the part that runs, or 0 if all run: the property pgtoaster.test.part. */
  private static int chosenPart() {
    String part = System.getProperty("pgtoaster.test.part", "");
    return part.isEmpty() ? 0 : Integer.parseInt(part);
  }

  /**
   * Returns the settings of a test that is not a contract: all of them, or in a part only one. The
   * parts take turns, so together they run up to {@link #PARTS} settings.
   */
  public static <T> List<T> inTurn(List<T> settings) {
    return inTurn(settings, chosenPart());
  }

  static <T> List<T> inTurn(List<T> settings, int part) {
    return part == 0 || settings.isEmpty()
        ? settings
        : List.of(settings.get((part - 1) % settings.size()));
  }

  /**
   * Creates a plan.
   *
   * @param versions the versions of PostgreSQL
   * @param executors false for plain SQL, true for the extension
   */
  public static Plan of(
      Breadth breadth, List<Integer> versions, List<Boolean> executors, List<Suite> suites) {
    Map<Cell, Set<String>> candidates = new LinkedHashMap<>();
    for (Suite suite : suites) {
      suite
          .settings(versions, executors)
          .map(setting -> new Cell(suite, setting))
          .forEach(cell -> candidates.put(cell, pairs(cell).collect(Collectors.toSet())));
    }
    return new Plan(
        candidates,
        switch (breadth) {
          case NEWEST -> covering(contracts(candidates.keySet()));
          case PAIRS -> covering(candidates);
          case ALL -> List.copyOf(candidates.keySet());
        });
  }

  /**
   * Returns the part of this plan for one run: a sixth of the cells. In addition each contract runs
   * on the newest version and by each executor, and those of stores on the oldest version, with one
   * setting and one toaster each.
   *
   * @param part from 1 to {@link #PARTS}; together the parts have all cells of this plan
   */
  public Plan part(int part) {
    if (part < 1 || part > PARTS) {
      throw new IllegalArgumentException("parts must be from 1 to " + PARTS + ", not " + part);
    }
    Map<Cell, Set<String>> edges = edges();
    List<Cell> always = covering(edges);
    List<Cell> others = cells.stream().filter(cell -> !always.contains(cell)).toList();
    Stream<Cell> some =
        IntStream.range(0, others.size()).filter(i -> i % PARTS == part - 1).mapToObj(others::get);
    return new Plan(
        candidates,
        Stream.concat(always.stream(), some).sorted(Comparator.comparing(Cell::toString)).toList());
  }

  /**
   * Returns the contracts of each cell of the newest version, and of stores on the oldest version,
   * by version and by executor.
   */
  private Map<Cell, Set<String>> edges() {
    Set<Integer> versions =
        candidates.keySet().stream()
            .map(cell -> cell.setting().version())
            .collect(Collectors.toCollection(TreeSet::new));
    Map<Cell, Set<String>> edges = new LinkedHashMap<>();
    for (Cell cell : candidates.keySet()) {
      Setting at = cell.setting();
      boolean edge =
          at.version() == Collections.max(versions)
              || (at.version() == Collections.min(versions) && cell.suite().column().hasStore());
      // These are only variants of other suites.
      if (edge
          && cell.suite().needs() != Planned.Needs.DISTRIBUTED
          && cell.suite().needs() != Planned.Needs.PGBOUNCER) {
        List<String> wanted = List.of("PostgreSQL " + at.version(), executor(at));
        edges.put(cell, product(cell.suite().contracts(), wanted).collect(Collectors.toSet()));
      }
    }
    return edges;
  }

  private static String executor(Setting setting) {
    return setting.extension() ? "extension" : "plain SQL";
  }

  /**
   * Columns with a store use separate connections, others the caller's if possible. Distributed
   * columns normally exist only on a cluster.
   */
  private static boolean isUsual(Cell cell) {
    Suite suite = cell.suite();
    return suite.needs() == Planned.Needs.NEWEST
        || (suite.needs() == Planned.Needs.DISTRIBUTED && PostgresServers.offersCitus())
        || (suite.needs() != Planned.Needs.TRANSPARENT
            && suite.needs() != Planned.Needs.DISTRIBUTED
            && suite.needs() != Planned.Needs.PGBOUNCER
            && cell.setting().own() == suite.column().hasStore());
  }

  /** Returns the contracts of each cell, with the toaster but without its options. */
  private static Map<Cell, Set<String>> contracts(Set<Cell> cells) {
    Map<Cell, Set<String>> all = new LinkedHashMap<>();
    for (Cell cell : cells.stream().filter(Plan::isUsual).toList()) {
      List<String> toaster = List.of(cell.suite().column().kind());
      all.put(cell, product(cell.suite().contracts(), toaster).collect(Collectors.toSet()));
    }
    return all;
  }

  /** Returns cells that together cover what all candidates cover. */
  private static List<Cell> covering(Map<Cell, Set<String>> candidates) {
    Set<String> missing = union(candidates.values());
    List<Cell> cells = new ArrayList<>();
    while (!missing.isEmpty()) {
      Cell best =
          Collections.max(
              candidates.keySet(),
              Comparator.<Cell>comparingLong(
                      cell -> candidates.get(cell).stream().filter(missing::contains).count())
                  .thenComparing(
                      cell -> cell.suite().option().length(), Comparator.reverseOrder()));
      cells.add(best);
      missing.removeAll(candidates.get(best));
    }
    cells.sort(Comparator.comparing(Cell::toString));
    return cells;
  }

  private static Stream<String> pairs(Cell cell) {
    Suite suite = cell.suite();
    Setting at = cell.setting();
    if (at.pgBouncer()) {
      // Does not replace a cell with direct connections.
      return product(suite.contracts(), List.of("PgBouncer"));
    }
    String executor = executor(at);
    String mode = at.own() ? "own connections" : "the caller's connection";
    String server =
        "PostgreSQL " + at.version() + ", " + executor + (at.transparent() ? ", transparent" : "");
    return Stream.concat(
        product(suite.contracts(), List.of(server, mode, suite.option(), suite.shape())),
        Stream.concat(
            product(List.of(suite.option(), suite.shape()), List.of(executor, mode)),
            product(List.of("PostgreSQL " + at.version(), executor), List.of(mode))));
  }

  private static Stream<String> product(List<String> some, List<String> others) {
    return some.stream().flatMap(a -> others.stream().map(b -> a + " x " + b));
  }

  private static Set<String> union(Collection<Set<String>> sets) {
    return sets.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the settings of one suite, in the order of the plan. */
  List<Setting> settings(Class<?> suite) {
    return cells.stream().filter(c -> c.suite().type() == suite).map(Cell::setting).toList();
  }

  /** Returns the cells, sorted by name. */
  public List<Cell> cells() {
    return cells;
  }

  /** Returns the pairs that the settings of the suites cover. */
  public Set<String> possible() {
    return union(candidates.values());
  }

  /** Returns the possible pairs that the plan does not cover. */
  public Set<String> missing() {
    Set<String> missing = possible();
    cells.forEach(cell -> missing.removeAll(candidates.get(cell)));
    return missing;
  }
}
