package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** Errors of a pool, a time limit or a server, with or without a lost connection. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConnectionLimitsIT {
  private static final byte[] BYTES = {1, 2, 3};

  @AutoClose
  private final Database database = PostgresServers.shared(PostgresServers.newest()).installed();

  @BeforeAll
  void makeTable() {
    database.run(
        "CREATE TABLE item (id bigint PRIMARY KEY, content bigint, fails boolean)",
        "SELECT pgtoaster.attach('item', 'content')",
        "INSERT INTO item VALUES (1, NULL, false), (2, NULL, false), (3, NULL, true)",
        """
        CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'not as agreed' USING ERRCODE = '08P01'; END $$
        """,
        "CREATE TRIGGER fail BEFORE UPDATE ON item FOR EACH ROW WHEN (NEW.fails) EXECUTE FUNCTION"
            + " fails()");
  }

  private static AppendOptions once() {
    return AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1));
  }

  @Test
  void exhaustedPool_isReportedImmediately_andNothingIsDone() throws SQLException {
    Counting counting = new Counting();
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(250);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      counting.pool = pool;
      BlobColumn blobs = PgToaster.create(counting).blobs("item", "content");
      blobs.append(1L, BYTES);
      counting.asked.set(0);
      try (Connection held = pool.getConnection()) {
        assertThat(held.isValid(5)).isTrue();
        ConnectionUnavailableException e =
            Expect.refused(
                ConnectionUnavailableException.class, () -> blobs.append(1L, BYTES, once()));
        assertThat(e).hasMessageContaining("provided no connection");
        assertThat(e.sqlState()).isEqualTo("53300");
        Expect.refused(ConnectionUnavailableException.class, () -> blobs.open(1L));
      }
      assertThat(counting.asked).hasValue(2);
      assertThat(blobs.length(1L)).isEqualTo(BYTES.length);
    }
  }

  /** Counts how often a connection is requested. */
  private static final class Counting extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;

    final AtomicInteger asked = new AtomicInteger();
    transient HikariDataSource pool;

    @Override
    public Connection getConnection() throws SQLException {
      asked.incrementAndGet();
      return pool.getConnection();
    }
  }

  @Test
  void protocolErrorOfARunningServer_isNotALostConnection() {
    BlobColumn blobs = PgToaster.create(database.dataSource()).blobs("item", "content");
    DatabaseException e =
        Expect.refused(DatabaseException.class, () -> blobs.append(3L, BYTES, once()));
    assertThat(e.sqlState()).isEqualTo("08P01");
    assertThat(e).hasMessageContaining("not as agreed");
  }

  @Test
  void transactionTimeout_isALostConnection() throws SQLException {
    assertThat(lost("idle_in_transaction_session_timeout")).isEqualTo("25P03");
    assertThat(database.number("SELECT count(content) FROM item WHERE id = 2")).isZero();
  }

  /** Returns the SQLState after a time limit has ended a transaction. */
  private String lost(String setting) throws SQLException {
    try (Connection c = database.connect()) {
      int pid = c.unwrap(PGConnection.class).getBackendPID();
      c.setAutoCommit(false);
      BlobColumn blobs = PgToaster.on(c).blobs("item", "content");
      blobs.append(2L, BYTES);
      Sql.run(c, "SET LOCAL " + setting + " = '1ms'");
      database.awaitNumber(
          "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid, left -> left == 0);
      return Expect.refused(ConnectionLostException.class, () -> blobs.append(2L, BYTES))
          .sqlState();
    }
  }
}
