package io.pgtoaster.benchmarks.trial;

/** How much is run. */
public enum Scale {
  /** Minutes: says whether everything works, and nothing of speed. */
  QUICK(1, 0, 1, 20),
  /** Half an hour for each round: the committed sets. */
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

  /** How often all cells are measured in turn. */
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
