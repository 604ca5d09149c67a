package io.pgtoaster.it.kit;

/**
 * Runs every third of many cases. In plain SQL, contracts run all cases. With the extension or
 * through PgBouncer, the setting selects which third runs. With the property
 * pgtoaster.test.cases=all, every case runs everywhere.
 */
public final class Thinned {
  private static final boolean ALL = System.getProperty("pgtoaster.test.cases", "").equals("all");

  private static final int STEP = 3;

  private final boolean whole;
  private int next;

  public Thinned(Setting setting) {
    this.whole = ALL || !(setting.extension() || setting.pgBouncer());
    this.next = setting.version() + (setting.own() ? 1 : 0) + (setting.extension() ? 2 : 0);
  }

  /** Runs every third case; {@code first} selects which. */
  public Thinned(int first) {
    this.whole = ALL;
    this.next = first;
  }

  /** Whether to run the next case. */
  public boolean takes() {
    return next++ % STEP == 0 || whole;
  }
}
