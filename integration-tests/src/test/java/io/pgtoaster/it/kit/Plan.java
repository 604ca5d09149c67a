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
 * Which suite runs in which settings. The pairs are those of each contract, option and shape of the
 * owner with each version, executor and connection mode, and of these with each other; the cells
 * are chosen greedily, the one with most missing pairs and fewest options first, so that the same
 * suites always give the same plan. Of the newest version alone it is each contract with each
 * toaster.
 *
 * <p>All pairs take too long for each run of CI, so that one takes {@linkplain #part a part} of
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

  /** How many runs have all pairs. */
  public static final int PARTS = 3;

  private static Plan chosen;

  private final Map<Cell, Set<String>> candidates;
  private final List<Cell> cells;

  private Plan(Map<Cell, Set<String>> candidates, List<Cell> cells) {
    this.candidates = candidates;
    this.cells = cells;
  }

  /** The plan of this run, over all suites of the integration tests. */
  static synchronized Plan chosen() {
    if (chosen == null) {
      Breadth breadth = Breadth.chosen();
      Plan all = of(breadth, breadth.versions(), breadth.executors(), Suite.all());
      String part = System.getProperty("pgtoaster.test.part", "");
      chosen = part.isEmpty() ? all : all.part(Integer.parseInt(part));
    }
    return chosen;
  }

  /**
   * Chooses.
   *
   * @param versions of PostgreSQL
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
   * Returns each contract on the oldest and the newest version and by each executor, in one setting
   * and on one toaster each, and a third of the other cells of this plan.
   *
   * @param part from 1 to {@link #PARTS}; together the parts have all cells of this plan
   */
  public Plan part(int part) {
    if (part < 1 || part > PARTS) {
      throw new IllegalArgumentException("parts are 1 to " + PARTS + ", not " + part);
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

  /** Of each cell of the oldest and newest version its contracts, by version and by executor. */
  private Map<Cell, Set<String>> edges() {
    Set<Integer> versions =
        candidates.keySet().stream()
            .map(cell -> cell.setting().version())
            .collect(Collectors.toCollection(TreeSet::new));
    Map<Cell, Set<String>> edges = new LinkedHashMap<>();
    for (Cell cell : candidates.keySet()) {
      Setting at = cell.setting();
      boolean edge =
          at.version() == Collections.min(versions) || at.version() == Collections.max(versions);
      // Distributed columns are a variant of the others.
      if (edge && cell.suite().needs() != Planned.Needs.DISTRIBUTED) {
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
   * Columns with a store with own connections, the others with the caller's where they can;
   * distributed columns on a cluster alone.
   */
  private static boolean isUsual(Cell cell) {
    Suite suite = cell.suite();
    return suite.needs() == Planned.Needs.NEWEST
        || (suite.needs() == Planned.Needs.DISTRIBUTED && PostgresServers.offersCitus())
        || (suite.needs() != Planned.Needs.TRANSPARENT
            && suite.needs() != Planned.Needs.DISTRIBUTED
            && cell.setting().own() == suite.column().hasStore());
  }

  /** Of each cell the contracts with the toaster, whatever its options. */
  private static Map<Cell, Set<String>> contracts(Set<Cell> cells) {
    Map<Cell, Set<String>> all = new LinkedHashMap<>();
    for (Cell cell : cells.stream().filter(Plan::isUsual).toList()) {
      List<String> toaster = List.of(cell.suite().column().kind());
      all.put(cell, product(cell.suite().contracts(), toaster).collect(Collectors.toSet()));
    }
    return all;
  }

  /** Cells that have all of what the candidates have together. */
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

  /** The settings of one suite, in this order. */
  List<Setting> settings(Class<?> suite) {
    return cells.stream().filter(c -> c.suite().type() == suite).map(Cell::setting).toList();
  }

  /** The cells, in the order of their names. */
  public List<Cell> cells() {
    return cells;
  }

  /** The pairs that some setting of some suite has. */
  public Set<String> possible() {
    return union(candidates.values());
  }

  /** The pairs that could be there and are not. */
  public Set<String> missing() {
    Set<String> missing = possible();
    cells.forEach(cell -> missing.removeAll(candidates.get(cell)));
    return missing;
  }
}
