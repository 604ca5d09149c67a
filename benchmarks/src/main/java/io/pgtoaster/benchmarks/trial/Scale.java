package io.pgtoaster.benchmarks.trial;

/** The extent of a run. */
public enum Scale {
  /** Takes minutes. Checks that everything works; the times mean nothing. */
  QUICK(1, 0, 1, 20),
  /** Takes half an hour per round. The committed sets use it. */
  STANDARD(3, 1, 3, 150);

  private final int rounds;
  private final int warmUps;
  private final int iterations;
  private final int millis;

  Scale(int rounds, int warmUps, int iterations, int millis) {
    this.rounds = rounds;
    this.warmUps = warmUps;
    this.iterations = iterations;
    this.millis = millis;
  }

  /** Returns how often all cells are measured in turn. */
  public int rounds() {
    return rounds;
  }

  public int warmUps() {
    return warmUps;
  }

  public int iterations() {
    return iterations;
  }

  public int millis() {
    return millis;
  }

  public <T> T pick(T quick, T standard) {
    return this == QUICK ? quick : standard;
  }
}
