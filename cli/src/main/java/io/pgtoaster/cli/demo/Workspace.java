package io.pgtoaster.cli.demo;

import io.pgtoaster.Catalog;
import io.pgtoaster.DetachOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the demonstration works: in its own database on the embedded server, or in its own schema
 * on the user's server. Both are removed completely.
 */
final class Workspace implements AutoCloseable {
  private static final String PREFIX = "pgtoaster_demo_";

  private final Database server;
  private final @Nullable Database own;
  private final String schema = PREFIX + ProcessHandle.current().pid();
  private final List<ColumnName> attached = new ArrayList<>();
  private boolean installed;

  Workspace(Database server) throws SQLException {
    this.server = server;
    if (server.isEmbedded()) {
      dropGarbage();
      run(server.dataSource(), "CREATE DATABASE " + schema);
      this.own = server.sibling(schema);
    } else {
      this.own = null;
    }
    execute("CREATE SCHEMA " + schema);
    Catalog catalog = PgToaster.create(dataSource()).catalog();
    if (catalog.installedVersion() == 0) {
      catalog.install();
      installed = true;
    }
  }

  /** Drops databases of demonstrations that were killed. */
  private void dropGarbage() throws SQLException {
    String list = "SELECT datname FROM pg_catalog.pg_database";
    for (String name : firstColumn(server.dataSource(), list)) {
      if (name.matches(PREFIX + "\\d{1,9}")) {
        long pid = Long.parseLong(name.substring(PREFIX.length()));
        if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty() || name.equals(schema)) {
          run(server.dataSource(), "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        }
      }
    }
  }

  DataSource dataSource() {
    return (own == null ? server : own).dataSource();
  }

  Connection connect() throws SQLException {
    return dataSource().getConnection();
  }

  String table(String name) {
    return schema + "." + name;
  }

  ColumnName column(String table, String column) {
    return ColumnName.of(schema, table, column);
  }

  void attach(ColumnName column, ToasterOptions options) {
    PgToaster.create(dataSource()).catalog().attach(column, options);
    attached.add(column);
  }

  void execute(String sql) throws SQLException {
    run(dataSource(), sql);
  }

  /**
   * Writes dirty pages, so that each measurement starts from the same state. Only some roles may
   * run it.
   */
  void checkpoint() throws SQLException {
    try {
      execute("CHECKPOINT");
    } catch (SQLException e) {
      if (!"42501".equals(e.getSQLState())) {
        throw e;
      }
    }
  }

  /** Runs VACUUM in its own database, so that autovacuum does not run during measurements. */
  void vacuum() throws SQLException {
    if (own != null) {
      execute("VACUUM");
    }
  }

  /** Runs a statement with parameters. */
  void update(String sql, Object... parameters) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement s = prepared(connection, sql, parameters)) {
      s.executeUpdate();
    }
  }

  /** Returns the number that a query selects. */
  long number(String sql, Object... parameters) throws SQLException {
    return Long.parseLong(firstColumn(dataSource(), sql, parameters).get(0));
  }

  /** Returns how many rows a query returns. */
  int rows(String sql, Object... parameters) throws SQLException {
    return firstColumn(dataSource(), sql, parameters).size();
  }

  String setting(String name) throws SQLException {
    return firstColumn(dataSource(), "SHOW " + name).get(0);
  }

  /** Returns the first column of all rows. */
  private static List<String> firstColumn(DataSource source, String sql, Object... parameters)
      throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement s = prepared(connection, sql, parameters);
        ResultSet r = s.executeQuery()) {
      List<String> values = new ArrayList<>();
      while (r.next()) {
        values.add(r.getString(1));
      }
      return values;
    }
  }

  private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement s = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      s.setObject(i + 1, parameters[i]);
    }
    return s;
  }

  private static void run(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement s = connection.createStatement()) {
      s.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    if (own != null) {
      own.close();
      run(server.dataSource(), "DROP DATABASE " + schema + " WITH (FORCE)");
      return;
    }
    Catalog catalog = PgToaster.create(dataSource()).catalog();
    for (ColumnName column : attached) {
      catalog.detach(column, DetachOptions.defaults().withDropContent(true));
    }
    execute("DROP SCHEMA " + schema + " CASCADE");
    if (installed && catalog.status().isEmpty()) {
      execute("DROP SCHEMA pgtoaster CASCADE");
    }
  }
}
