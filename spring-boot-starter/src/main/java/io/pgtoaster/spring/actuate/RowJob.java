package io.pgtoaster.spring.actuate;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.column.OwnerRows;
import io.pgtoaster.spring.actuate.AttachedColumns.Name;
import io.pgtoaster.spring.actuate.MaintenanceProperties.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies or compacts rows, a bounded number per run. The next run continues after the last row.
 */
final class RowJob {
  private static final int PAGE = 200;
  private static final int MAX_PROBLEMS = 100;

  private final Job job;
  private final PgToaster toaster;
  private final Rows bounds;
  private @Nullable String column;
  private @Nullable RowKey last;

  /**
   * Damage that the last complete pass over all columns found; newDamages counts the current pass.
   */
  private long knownDamages;

  private long newDamages;

  RowJob(Job job, PgToaster toaster, Rows bounds) {
    this.job = job;
    this.toaster = toaster;
    this.bounds = bounds;
  }

  /** Progress of a run. */
  private final class Run {
    final Instant startedAt = Instant.now();
    final List<String> problems = new ArrayList<>();
    long visited;
    long changed;
    boolean failed;

    boolean mayGoOn() {
      return visited < bounds.maxRows()
          && Duration.between(startedAt, Instant.now()).compareTo(bounds.maxDuration()) < 0
          && !Thread.currentThread().isInterrupted();
    }

    void damaged(String problem) {
      newDamages++;
      add(problem);
    }

    void failed(String problem) {
      failed = true;
      add(problem);
    }

    private void add(String problem) {
      if (problems.size() < MAX_PROBLEMS) {
        problems.add(problem);
      }
    }

    JobRun end(boolean complete) {
      return new JobRun(
          failed ? JobRun.FAILED : JobRun.DONE,
          startedAt,
          JobRun.millis(startedAt),
          visited,
          changed,
          0,
          complete,
          Math.max(knownDamages, newDamages),
          List.copyOf(problems));
    }
  }

  JobRun run(Connection connection) throws SQLException {
    Run run = new Run();
    List<Name> columns =
        AttachedColumns.read(connection).stream()
            .filter(c -> c.isBlob() || c.isDocument())
            .toList();
    int from = 0;
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).toString().equals(column)) {
        from = i;
      }
    }
    for (Name name : columns.subList(from, columns.size())) {
      if (!name.toString().equals(column)) {
        column = name.toString();
        last = null;
      }
      try {
        if (!visit(name, connection, run)) {
          return run.end(false);
        }
      } catch (SQLException | PgToasterException e) {
        // Continue with the other columns, unless the session is broken.
        if (connection.isClosed()) {
          throw e;
        }
        run.failed(name + ": " + JobRun.why(e));
      }
    }
    column = null;
    last = null;
    knownDamages = newDamages;
    newDamages = 0;
    return run.end(true);
  }

  /**
   * Visits a column, starting after the last key. Returns false if the run must end before the
   * column's end.
   */
  private boolean visit(Name name, Connection connection, Run run) throws SQLException {
    RowContent content = RowContent.of(toaster, name, connection);
    while (run.mayGoOn()) {
      int limit = (int) Math.min(PAGE, bounds.maxRows() - run.visited);
      List<RowKey> keys = OwnerRows.keys(connection, content.column(), last, limit);
      for (RowKey key : keys) {
        if (!run.mayGoOn()) {
          return false;
        }
        // This is set before the visit, because a row that breaks the session must not stop every
        // run at the same place.
        last = key;
        try {
          visit(content, key, run);
        } catch (PgToasterException e) {
          if (connection.isClosed()) {
            throw e;
          }
          run.failed(JobRun.why(e));
        }
      }
      if (keys.size() < limit) {
        return true;
      }
    }
    return false;
  }

  private void visit(RowContent content, RowKey key, Run run) {
    run.visited++;
    try {
      if (job == Job.COMPACT) {
        run.changed += content.compact().apply(key) > 0 ? 1 : 0;
      } else {
        String place = content.column().describe() + ", key " + String.join(", ", key.values());
        content.verify().apply(key).forEach(problem -> run.damaged(place + ": " + problem));
      }
    } catch (RowNotFoundException | BlobNotFoundException e) {
      // The row was deleted after its key was read.
      run.visited--;
    } catch (BlobCorruptException | DocumentCorruptException e) {
      run.damaged(JobRun.why(e));
    } catch (DatabaseException e) {
      // The server itself reports damaged data.
      if (!e.sqlState().startsWith("XX")) {
        throw e;
      }
      run.damaged(JobRun.why(e));
    }
  }
}
