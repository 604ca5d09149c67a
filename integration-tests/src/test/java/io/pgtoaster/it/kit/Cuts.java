package io.pgtoaster.it.kit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.error.PgToasterException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs calls whose connection breaks in the middle, as an application's do: through a pool. */
public final class Cuts implements AutoCloseable {
  /** Of the sessions whose connections are cut. */
  private static final String NAME = "cut";

  private final Database database;
  private final CuttingProxy proxy;

  public Cuts(Database database) throws IOException {
    this.database = database;
    this.proxy = new CuttingProxy(database.server().port());
  }

  /**
   * What became of a call.
   *
   * @param hit whether the connection was cut before the call was done
   * @param thrown what the call threw, or null
   */
  public record Cut(boolean hit, PgToasterException thrown) {}

  /**
   * Runs a call, cuts its connection, and waits until the server has noticed.
   *
   * @param message number of the message that the call sends, from 1
   * @param delivered whether the server still gets it
   * @param first what to do before messages are counted
   */
  public Cut run(
      int message, boolean delivered, Consumer<PgToaster> first, Consumer<PgToaster> call) {
    PGSimpleDataSource source = source();
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(1);
    PgToasterException thrown = null;
    boolean hit;
    try (HikariDataSource pool = new HikariDataSource(config)) {
      PgToaster toaster = PgToaster.create(pool);
      first.accept(toaster);
      proxy.arm(message, delivered);
      try {
        call.accept(toaster);
      } catch (PgToasterException e) {
        thrown = e;
      }
      hit = proxy.hasCut();
      proxy.arm(CuttingProxy.NEVER, false);
    }
    // What was delivered is done when its session has ended, and perhaps not before.
    database.awaitNumber(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND application_name = '%s'".formatted(NAME),
        n -> n == 0);
    return new Cut(hit, thrown);
  }

  private PGSimpleDataSource source() {
    PGSimpleDataSource source = database.dataSource(database.server().user(), proxy.port());
    source.setApplicationName(NAME);
    return source;
  }

  /** A connection for {@link #allow}. */
  public Connection connect() throws SQLException {
    return source().getConnection();
  }

  /** Runs a call, and cuts its connection at the first message beyond so many. */
  public void allow(int messages, Runnable call) {
    proxy.arm(messages + 1, false);
    call.run();
    proxy.arm(CuttingProxy.NEVER, false);
  }

  @Override
  public void close() throws IOException {
    proxy.close();
  }
}
