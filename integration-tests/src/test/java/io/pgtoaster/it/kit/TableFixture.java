package io.pgtoaster.it.kit;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.internal.column.ColumnLookup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * A database with one table {@code item}, for tests of one of its columns.
 *
 * @param <C> the class that operates on the column
 */
public abstract class TableFixture<C> implements AutoCloseable {
  public static final String TABLE = "item";

  private final Setting setting;
  private final ColumnSpec spec;
  private final Function<PgToaster, C> columns;
  private final Database database;
  private final int store;
  private final C own;
  private final C impatient;
  private final DataSource unpooled;
  private final HikariDataSource pool;
  private final HikariDataSource impatientPool;
  private final long logged;
  private final AtomicLong rows = new AtomicLong();
  private final List<Connection> connections = new ArrayList<>();

  /**
   * Creates the table and attaches the column.
   *
   * @param columns returns the column from an entry point
   * @param options attaches the column if its toaster is not known to SQL
   */
  TableFixture(
      Setting setting,
      ColumnSpec spec,
      Function<PgToaster, C> columns,
      ToIntFunction<Catalog> options) {
    this.setting = setting;
    this.spec = spec;
    this.columns = columns;
    Server server = PostgresServers.shared(setting.version());
    this.logged = Traps.EVERYWHERE ? Traps.end(server.postgres().logFile()) : 0;
    Attached attached = Attached.of(setting, spec, options);
    this.database = attached.database();
    this.store = attached.store();
    this.unpooled =
        setting.pgBouncer()
            ? PgBouncer.before(database.server()).dataSource(database.server(), database.name())
            : database.dataSource();
    this.pool = Database.pool(unpooled, 40, "");
    // These connections set a session parameter, so they do not go through PgBouncer.
    this.impatientPool = database.pool(4, "SET lock_timeout = '2s'");
    if (spec.distributed()) {
      database.distribute(spec.spread());
    }
    requireExecutor();
    this.own = column(PgToaster.create(pool));
    this.impatient = column(PgToaster.create(impatientPool));
  }

  public ColumnSpec spec() {
    return spec;
  }

  public int store() {
    return store;
  }

  /** Returns the name of one table of the store. */
  public String table(String part) {
    return (spec.distributed() ? "" : "pgtoaster.") + "store_" + store + "_" + part;
  }

  private C column(PgToaster pgToaster) {
    return columns.apply(setting.extension() ? pgToaster : pgToaster.withoutExtension());
  }

  /** The column, with a separate connection and transaction for each call. */
  public C own() {
    return own;
  }

  /** The column, on connections that wait for a lock for at most two seconds. */
  public C impatient() {
    return impatient;
  }

  /** The column, on separate or the caller's connections, depending on the setting. */
  public C any() {
    return setting.own() ? own : on(connect());
  }

  /** The column, on a connection of the test. */
  public C on(Connection connection) {
    return column(PgToaster.on(connection));
  }

  /** The column in plain SQL in any setting. */
  public C onBySql(Connection connection) {
    return columns.apply(PgToaster.on(connection).withoutExtension());
  }

  /**
   * The column on a connection, with each executor of the setting: only plain SQL, or the extension
   * and plain SQL.
   */
  public List<C> executorsOn(Connection connection) {
    return executors(PgToaster.on(connection));
  }

  /** The column, on separate or the caller's connections, with each executor of the setting. */
  public List<C> executors() {
    return executors(setting.own() ? PgToaster.create(pool) : PgToaster.on(connect()));
  }

  private List<C> executors(PgToaster pgToaster) {
    C sql = columns.apply(pgToaster.withoutExtension());
    return setting.extension() ? List.of(columns.apply(pgToaster), sql) : List.of(sql);
  }

  public Setting setting() {
    return setting;
  }

  public Database database() {
    return database;
  }

  /** Runs statements in the database. */
  public void run(String... statements) {
    database.run(statements);
  }

  /** See {@link Database#runWithoutTriggers}. */
  public void runWithoutTriggers(String... statements) {
    database.runWithoutTriggers(statements);
  }

  public long number(String sql) {
    return database.number(sql);
  }

  public String string(String sql) {
    return database.string(sql);
  }

  /** Returns the first column of all rows. */
  public List<String> strings(String sql) {
    return database.strings(sql);
  }

  public HikariDataSource pool() {
    return pool;
  }

  /** Asserts that the extension serves the column if and only if the setting uses it. */
  private void requireExecutor() {
    try (Connection c = database.connect()) {
      assertThat(ColumnLookup.find(c, ColumnName.of(TABLE, spec.name())).extension())
          .as("the extension serves the column")
          .isEqualTo(setting.extension() || (setting.transparent() && spec.hasStore()));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  public boolean usesExtension() {
    return setting.extension();
  }

  public boolean ownConnections() {
    return setting.own();
  }

  /** Returns a connection in autocommit mode that is closed after the test. */
  public synchronized Connection connect() {
    try {
      Connection connection = unpooled.getConnection();
      connections.add(connection);
      return connection;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a connection with an open transaction that is closed after the test. */
  public Connection begin() throws SQLException {
    Connection connection = connect();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Returns a connection with an open transaction that is closed after the test. */
  public Connection begin(int isolation) throws SQLException {
    Connection connection = connect();
    if (setting.pgBouncer()) {
      connection.setAutoCommit(false);
      Sql.run(connection, "SET TRANSACTION ISOLATION LEVEL " + name(isolation));
    } else {
      connection.setTransactionIsolation(isolation);
      connection.setAutoCommit(false);
    }
    return connection;
  }

  private static String name(int isolation) {
    return switch (isolation) {
      case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
      case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
      default -> "READ COMMITTED";
    };
  }

  /** Returns a key that no row has. */
  public Object unknownKey() {
    return spec.key().of(rows.incrementAndGet());
  }

  /** Inserts a row whose column is NULL. */
  public Object row() {
    Object key = unknownKey();
    database.update(insert(key));
    return key;
  }

  /** Inserts a row whose column is NULL, for the same tenant if there are tenants. */
  public Object rowBeside(Object key) {
    Object other = row();
    while (key instanceof List<?> a && other instanceof List<?> b && !a.get(0).equals(b.get(0))) {
      other = row();
    }
    return other;
  }

  /** Returns a key as an array of texts, for SQL functions. */
  public String texts(Object key) {
    return (key instanceof List<?> values ? values : List.of(key))
        .stream().map(v -> Sql.literal(v.toString())).collect(joining(", ", "ARRAY[", "]"));
  }

  public String insert(Object row) {
    return "INSERT INTO item (%s) VALUES (%s)"
        .formatted(spec.key().names(), spec.key().values(row));
  }

  /** Returns an INSERT that also sets a handle in a column. */
  public String insert(Object row, String column, long handle) {
    return "INSERT INTO item (%s, %s) VALUES (%s, %d)"
        .formatted(spec.key().names(), column, spec.key().values(row), handle);
  }

  /** Returns the condition that selects a row. */
  public String where(Object row) {
    return " WHERE (%s) = (%s)".formatted(spec.key().names(), spec.key().values(row));
  }

  /** Returns content of the store that no row references. */
  public abstract List<String> orphans();

  /** Ends a test: closes its connections and asserts that it left nothing behind. */
  public void afterTest() throws SQLException {
    closeConnections();
    Wait.until(
        "connections given back to the pool: " + pool.getHikariPoolMXBean().getActiveConnections(),
        () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    assertThat(orphans()).as("orphans").isEmpty();
  }

  /**
   * Also waits until the server has ended sessions with a transaction, because gc keeps content to
   * which they may still refer.
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
    if (setting.pgBouncer()) {
      // The process ids are PgBouncer's, so count sessions.
      database.awaitNumber(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
              + " AND state LIKE 'idle in transaction%'",
          left -> left == 0);
    } else if (!ending.isEmpty()) {
      String pids = ending.toString().replace('[', '(').replace(']', ')');
      database.awaitNumber(
          "SELECT count(*) FROM pg_stat_activity WHERE pid IN " + pids, left -> left == 0);
    }
  }

  /** Returns the traps that the library has called, if traps are set. */
  List<Traps.Fired> firedTraps() {
    return Traps.fired(database.server().postgres().logFile(), logged);
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
