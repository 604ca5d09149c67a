package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnLookup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.PGConnection;

/** A database with one table {@code item}, of whose columns one is under test. */
public abstract class TableFixture implements AutoCloseable {
  public static final String TABLE = "item";

  private final Setting setting;
  private final ColumnSpec.Key kind;
  private final Database database;
  private final HikariDataSource pool;
  private final HikariDataSource impatientPool;
  private final AtomicLong rows = new AtomicLong();
  private final List<Connection> connections = new ArrayList<>();

  TableFixture(Setting setting, ColumnSpec.Key kind, String createTable) {
    this.setting = setting;
    this.kind = kind;
    this.database = PostgresServers.shared(setting.version()).installed();
    if (setting.extension()) {
      database.run("CREATE EXTENSION pgtoaster");
    }
    if (setting.version() == PostgresServers.POSTGRES_PRO) {
      database.run(
          "CREATE EXTENSION bytea_toaster",
          "CREATE EXTENSION jsonb_toaster",
          "ALTER DATABASE " + database.name() + " SET pgtoaster.postgrespro = on");
    }
    database.run(createTable);
    this.pool = database.pool(40);
    this.impatientPool = database.pool(4, "SET lock_timeout = '2s'");
  }

  public Setting setting() {
    return setting;
  }

  public Database database() {
    return database;
  }

  public HikariDataSource pool() {
    return pool;
  }

  HikariDataSource impatientPool() {
    return impatientPool;
  }

  /** The door by plain SQL, or by the extension, as the setting says. */
  final PgToaster door(PgToaster any) {
    return setting.extension() ? any : any.withoutExtension();
  }

  /** Asserts that the extension serves a column where the setting says so, and only there. */
  final void requireExecutor(String column) {
    try (Connection c = database.connect()) {
      assertThat(ColumnLookup.find(c, null, TABLE, column).extension())
          .as("the extension serves the column")
          .isEqualTo(setting.extension());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether the extension is installed and used. */
  public boolean usesExtension() {
    return setting.extension();
  }

  public boolean ownConnections() {
    return setting.own();
  }

  /** A connection in autocommit mode, closed after the test. */
  public synchronized Connection connect() {
    try {
      Connection connection = database.connect();
      connections.add(connection);
      return connection;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** A connection with an open transaction, closed after the test. */
  public Connection begin() throws SQLException {
    Connection connection = connect();
    connection.setAutoCommit(false);
    return connection;
  }

  /** A connection with an open transaction, closed after the test. */
  public Connection begin(int isolation) throws SQLException {
    Connection connection = connect();
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  /** A key that no row has. */
  public Object unknownKey() {
    return kind.of(rows.incrementAndGet());
  }

  /** A new row whose column is NULL. */
  public Object row() {
    Object key = unknownKey();
    database.update(insert(key));
    return key;
  }

  /** A new row whose column is NULL, of the same tenant where there are tenants. */
  public Object rowBeside(Object key) {
    Object other = row();
    while (key instanceof List<?> a && other instanceof List<?> b && !a.get(0).equals(b.get(0))) {
      other = row();
    }
    return other;
  }

  public String insert(Object row) {
    return "INSERT INTO item (%s) VALUES (%s)".formatted(kind.names(), kind.values(row));
  }

  /** The same with a handle in a column. */
  public String insert(Object row, String column, long handle) {
    return "INSERT INTO item (%s, %s) VALUES (%s, %d)"
        .formatted(kind.names(), column, kind.values(row), handle);
  }

  /** The condition that picks a row. */
  public String where(Object row) {
    return " WHERE (%s) = (%s)".formatted(kind.names(), kind.values(row));
  }

  /** What the store has and no row names. */
  public abstract List<String> orphans();

  /** Ends a test: gives back what it holds, and looks for what it left. */
  public void afterTest() throws SQLException {
    closeConnections();
    Wait.until(
        "connections given back to the pool: " + pool.getHikariPoolMXBean().getActiveConnections(),
        () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    assertThat(orphans()).as("orphans").isEmpty();
  }

  /**
   * Also waits for the sessions that were in a transaction: the server ends them a moment later,
   * and gc would leave what they may still name.
   */
  private synchronized void closeConnections() throws SQLException {
    List<Integer> ending = new ArrayList<>();
    for (Connection connection : connections) {
      if (!connection.isClosed() && !connection.getAutoCommit()) {
        ending.add(connection.unwrap(PGConnection.class).getBackendPID());
      }
      connection.close();
    }
    connections.clear();
    if (!ending.isEmpty()) {
      String pids = ending.toString().replace('[', '(').replace(']', ')');
      database.awaitNumber(
          "SELECT count(*) FROM pg_stat_activity WHERE pid IN " + pids, left -> left == 0);
    }
  }

  @Override
  public void close() {
    pool.close();
    impatientPool.close();
    try {
      database.close();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
