package io.pgtoaster.it.kit;

import java.util.List;
import java.util.Locale;

/**
 * How much of the product of versions, executors and connection modes runs: the property
 * pgtoaster.test.settings, which Maven has from {@code -Dsettings=}.
 */
public enum Breadth {
  /** The newest PostgreSQL by plain SQL, each suite in one connection mode. */
  NEWEST,
  /** All versions by both executors, so that every pair is there at least once. */
  PAIRS,
  /** The full product. */
  ALL;

  /** The one that was asked for. */
  public static Breadth chosen() {
    String name = property("settings");
    return name.isEmpty() ? NEWEST : valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * The versions of PostgreSQL to run on: those of the property pgtoaster.test.versions; without it
   * 15 to 19, and 18 alone for {@link #NEWEST}, since Maven Central has no server of 19.
   */
  List<Integer> versions() {
    String given = property("versions");
    if (!given.isEmpty()) {
      return List.of(given.split(",", -1)).stream().map(v -> Integer.valueOf(v.strip())).toList();
    }
    if (this == NEWEST) {
      return List.of(18);
    }
    return PostgresServers.offers(19) ? List.of(15, 16, 17, 18, 19) : List.of(15, 16, 17, 18);
  }

  /**
   * By which executors, false for plain SQL, true for the extension: the property
   * pgtoaster.test.executor ({@code sql}, {@code extension} or {@code both}); without it both where
   * the extension has been built, for {@link #NEWEST} plain SQL.
   */
  public List<Boolean> executors() {
    return switch (property("executor")) {
      case "" ->
          this == NEWEST || !PostgresServers.offersExtension()
              ? List.of(false)
              : List.of(false, true);
      case "both" -> List.of(false, true);
      case "sql" -> List.of(false);
      case "extension" -> List.of(true);
      default -> throw new AssertionError("executor is sql, extension or both");
    };
  }

  private static String property(String name) {
    return System.getProperty("pgtoaster.test." + name, "").strip();
  }
}
