package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import java.sql.SQLException;

/** How much of the disk is taken since this was made, beside what was stored. */
public final class Space {
  private final Database database;
  private final double stored;
  private final double before;

  public Space(Database database, double stored) throws SQLException {
    this.database = database;
    this.stored = stored;
    database.vacuum();
    before = database.diskBytes();
  }

  /** Adds it to what an iteration has found. */
  public void add() throws SQLException {
    double taken = database.diskBytes() - before;
    Meter.add("disk", taken, "B");
    Meter.add("diskRatio", taken / stored, "ratio");
  }
}
