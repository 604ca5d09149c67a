package io.pgtoaster.examples.jdbclog;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A program that logs to a database, with two followers, one of which starts late. */
public final class Main {
  private static final Logger LOGGER = Logger.getLogger("shop");

  private Main() {}

  /**
   * Runs on the given database, or on a temporary PostgreSQL server.
   *
   * @param args a JDBC URL with user and password, or nothing
   * @throws Exception if it fails
   */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      run(args[0], System.out);
      return;
    }
    PostgresBinaries binaries = PostgresBinaries.fromClasspath(Home.cacheDirectory());
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(binaries).temporary().start()) {
      run(postgres.jdbcUrlWithPassword("postgres"), System.out);
    }
  }

  static void run(String url, PrintStream out) throws SQLException, InterruptedException {
    // A program with many threads would use a pool.
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(url);
    BlobColumn lines = prepare(dataSource);
    long log = newLog(dataSource);

    BlobHandler handler = new BlobHandler(lines, log, lineFormatter());
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
    Thread first = follower("first ", lines, log, 0, out);
    LOGGER.info("the shop is open");
    for (int order = 1; order <= 5; order++) {
      LOGGER.info("order " + order + " of " + 10 * order + " apples");
      Thread.sleep(200);
    }
    Thread late = follower("  late", lines, log, lines.length(log), out);
    LOGGER.warning("no apples left");
    LOGGER.info("the shop is closed");
    LOGGER.removeHandler(handler);

    // Sealing ends the followers: there will be no more lines.
    lines.seal(log);
    first.join();
    late.join();
    out.println(lines.length(log) + " bytes in one blob");
  }

  private static BlobColumn prepare(DataSource dataSource) throws SQLException {
    PgToaster toaster = PgToaster.create(dataSource);
    toaster.catalog().install();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS example_log"
              + " (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text)");
    }
    toaster
        .catalog()
        .attachIfAbsent("example_log", "lines", BlobOptions.defaults().withNotifyFollowers(true));
    return toaster.blobs("example_log", "lines");
  }

  /** Inserts a row. Its column is NULL until the first append. */
  private static long newLog(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("INSERT INTO example_log (name) VALUES ('shop') RETURNING id")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static Thread follower(
      String name, BlobColumn lines, long log, long from, PrintStream out) {
    Thread thread =
        new Thread(
            () -> {
              try {
                new LogFollower(lines, log).follow(from, line -> out.println(name + " | " + line));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            name);
    thread.start();
    return thread;
  }

  private static Formatter lineFormatter() {
    return new Formatter() {
      @Override
      public String format(LogRecord record) {
        return record.getInstant().truncatedTo(ChronoUnit.MILLIS)
            + " "
            + record.getLevel()
            + " "
            + formatMessage(record)
            + "\n";
      }
    };
  }
}
