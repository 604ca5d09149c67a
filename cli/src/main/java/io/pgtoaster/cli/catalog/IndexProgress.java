package io.pgtoaster.cli.catalog;

import io.pgtoaster.cli.terminal.Progress;
import io.pgtoaster.column.ColumnName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Shows a progress bar for each phase in which the server builds the indexes of a column. Reads the
 * phases from {@code pg_stat_progress_create_index} on another connection.
 */
final class IndexProgress {
  private static final String PHASE =
      """
      SELECT p.phase, p.blocks_done * s.size, p.blocks_total * s.size
      FROM pgtoaster.attached_column a
      JOIN pg_catalog.pg_stat_progress_create_index p
        ON p.relid IN (a.owner, pg_catalog.to_regclass(pgtoaster.store_table(a.store, 'node'))),
           (SELECT CAST(pg_catalog.current_setting('block_size') AS bigint) AS size) s
      WHERE a.owner = pg_catalog.to_regclass(pg_catalog.concat_ws('.', pg_catalog.quote_ident(?), pg_catalog.quote_ident(?)))
        AND a.column_name = ? AND p.datname = pg_catalog.current_database()
      LIMIT 1
      """;
  private static final int INTERVAL_MS = 200;

  private final DataSource source;
  private final ColumnName column;
  private final Thread thread = new Thread(this::watch, "progress");
  private @Nullable Progress bar;
  private String phase = "";
  private long done;

  private IndexProgress(DataSource source, ColumnName column) {
    this.source = source;
    this.column = column;
  }

  /** Shows the phases while {@code work} creates indexes. */
  static void show(DataSource source, ColumnName column, Runnable work) {
    IndexProgress progress = new IndexProgress(source, column);
    progress.thread.setDaemon(true);
    progress.thread.start();
    try {
      work.run();
    } finally {
      progress.end();
    }
  }

  private void watch() {
    try (Connection connection = source.getConnection();
        PreparedStatement s = connection.prepareStatement(PHASE)) {
      s.setString(1, column.schema());
      s.setString(2, column.table());
      s.setString(3, column.column());
      while (!Thread.interrupted()) {
        try (ResultSet r = s.executeQuery()) {
          if (r.next()) {
            show(r.getString(1), r.getLong(2), r.getLong(3));
          }
        }
        Thread.sleep(INTERVAL_MS);
      }
    } catch (SQLException e) {
      // The bar is not worth a message; the command reports its own errors.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void show(String next, long bytes, long total) {
    if (bar == null || !next.equals(phase) || bytes < done) {
      if (bar != null) {
        bar.close();
      }
      bar = Progress.start(next, total == 0 ? -1 : total, false);
      done = 0;
    }
    phase = next;
    bar.add(bytes - done);
    done = bytes;
  }

  private void end() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (bar != null) {
      bar.close();
    }
  }
}
