package io.pgtoaster.it.kit;

/**
 * Loops over many cases, of which every third is run: of contracts, which are run whole by plain
 * SQL, by the extension and through PgBouncer, and not the same ones in all settings. With the
 * property pgtoaster.test.cases=all they are run whole everywhere.
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

  /** Every third case, from one of three on. */
  public Thinned(int first) {
    this.whole = ALL;
    this.next = first;
  }

  /** Whether the next case is to be run. */
  public boolean takes() {
    return next++ % STEP == 0 || whole;
  }
}
