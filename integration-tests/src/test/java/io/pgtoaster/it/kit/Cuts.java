package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.error.PgToasterException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs calls through a pool, as an application does, and cuts their connection in the middle. */
public final class Cuts implements AutoCloseable {
  private final Database database;
  private final CuttingProxy proxy;

  /**
   * All cuts share one pool, because closing a pool that evicts a connection sometimes takes ten
   * seconds.
   */
  private final HikariDataSource pool;

  public Cuts(Database database) throws IOException {
    this.database = database;
    this.proxy = new CuttingProxy(database.server().port());
    HikariConfig config = new HikariConfig();
    config.setDataSource(source());
    config.setMaximumPoolSize(1);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
  }

  /**
   * The result of a call.
   *
   * @param hit whether the connection was cut before the call ended
   * @param thrown the exception of the call, or null
   */
  public record Cut(boolean hit, PgToasterException thrown) {}

  /** Cuts at a message; returns false if the call sends fewer messages. */
  public interface AtMessage {
    boolean cut(int message, boolean delivered);
  }

  /**
   * Cuts a call at each message that it sends. With all settings, each cut happens both before and
   * after the server receives the message. Otherwise the two alternate, and both happen only at the
   * last two messages, which decide whether the call takes effect.
   *
   * @return the number of cuts
   */
  public static int atEachMessage(int most, AtMessage call) {
    int message = 1;
    while (call.cut(message, message % 2 == 0)) {
      message++;
      assertThat(message).isLessThan(most);
    }
    int last = message - 1;
    assertThat(last).as("the call was never cut").isPositive();
    int cuts = last;
    int other = Breadth.chosen() == Breadth.ALL ? 1 : Math.max(1, last - 1);
    for (; other <= last; other++) {
      cuts += call.cut(other, other % 2 != 0) ? 1 : 0;
    }
    return cuts;
  }

  /**
   * Runs a call, cuts its connection, and waits until the server has noticed.
   *
   * @param message the number of the message that is cut, from 1
   * @param delivered whether the server still receives the message
   * @param first runs before messages are counted
   */
  public Cut run(
      int message, boolean delivered, Consumer<PgToaster> first, Consumer<PgToaster> call) {
    PgToaster toaster = PgToaster.create(pool);
    first.accept(toaster);
    // The pool has only this connection until the connection is closed.
    int session = session();
    PgToasterException thrown = null;
    proxy.arm(message, delivered);
    try {
      call.accept(toaster);
    } catch (PgToasterException e) {
      thrown = e;
    }
    boolean hit = proxy.hasCut();
    proxy.arm(CuttingProxy.NEVER, false);
    if (hit) {
      // After the session has ended, the server has certainly executed all delivered messages.
      database.awaitNumber(
          "SELECT count(*) FROM pg_stat_activity WHERE pid = " + session, n -> n == 0);
    }
    return new Cut(hit, thrown);
  }

  private int session() {
    try (Connection c = pool.getConnection()) {
      return c.unwrap(PGConnection.class).getBackendPID();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private PGSimpleDataSource source() {
    return database.dataSource(database.server().user(), proxy.port());
  }

  /** Returns a connection for {@link #allow}. */
  public Connection connect() throws SQLException {
    return connect(true);
  }

  /**
   * Does the same with prepared statements or, as through a pooler in transaction mode, without
   * them.
   */
  public Connection connect(boolean prepared) throws SQLException {
    PGSimpleDataSource source = source();
    if (!prepared) {
      source.setPrepareThreshold(0);
    }
    return source.getConnection();
  }

  /** Runs a call, and cuts its connection if it sends more messages than this. */
  public void allow(int messages, Runnable call) {
    proxy.arm(messages + 1, false);
    call.run();
    proxy.arm(CuttingProxy.NEVER, false);
  }

  @Override
  public void close() throws IOException {
    pool.close();
    proxy.close();
  }
}
