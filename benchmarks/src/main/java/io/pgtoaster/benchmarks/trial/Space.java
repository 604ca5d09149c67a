package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import java.sql.SQLException;

/** The disk space used since this was created, and its ratio to the stored bytes. */
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

  /** Adds it to the figures of the iteration. */
  public void add() throws SQLException {
    double taken = database.diskBytes() - before;
    Meter.add("disk", taken, "B");
    Meter.add("diskRatio", taken / stored, "ratio");
  }
}
