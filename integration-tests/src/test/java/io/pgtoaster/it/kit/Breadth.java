package io.pgtoaster.it.kit;

import java.util.List;
import java.util.Locale;

/**
 * The combinations of versions, executors and connection modes that run. Maven sets the property
 * pgtoaster.test.settings from {@code -Dsettings=}.
 */
public enum Breadth {
  /** The newest PostgreSQL in plain SQL, each suite in one connection mode. */
  NEWEST,
  /** Every pair of a version, an executor and a connection mode at least once. */
  PAIRS,
  /** All combinations. */
  ALL;

  /** Returns the value of the property. */
  public static Breadth chosen() {
    String name = property("settings");
    return name.isEmpty() ? NEWEST : valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * Returns the versions of PostgreSQL in the property pgtoaster.test.versions. By default these
   * are 15 to 19; and for {@link #NEWEST} only 18, because Maven Central has no server of version
   * 19.
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
   * Returns the executors: false for plain SQL, true for the extension. The property
   * pgtoaster.test.executor ({@code sql}, {@code extension} or {@code both}) selects them. By
   * default both run if the extension has been built, and only plain SQL for {@link #NEWEST}.
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
      default -> throw new AssertionError("executor must be sql, extension or both");
    };
  }

  private static String property(String name) {
    return System.getProperty("pgtoaster.test." + name, "").strip();
  }
}
