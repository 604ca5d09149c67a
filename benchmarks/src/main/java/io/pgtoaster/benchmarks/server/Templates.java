package io.pgtoaster.benchmarks.server;

import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.SQLException;

/** Template databases for the databases of trials. */
public final class Templates {
  private Templates() {}

  /** Creates the templates that the server supports. First removes what an earlier run left. */
  public static void make(Target target) throws SQLException {
    drop(target);
    try (Connection c = target.maintenance()) {
      if (!Sql.holds(c, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
        throw new SQLException(
            "the user of the URL must be a superuser: the run creates databases and extensions");
      }
      make(target, c, Kind.PLAIN);
      if (Sql.holds(
          c, "SELECT count(*) > 0 FROM pg_available_extensions WHERE name = 'pgtoaster'")) {
        make(target, c, Kind.EXTENSION);
      }
    }
  }

  /** Returns whether there is a template of this kind. */
  public static boolean has(Target target, Kind kind) throws SQLException {
    try (Connection c = target.maintenance()) {
      return Sql.holds(
          c, "SELECT count(*) > 0 FROM pg_database WHERE datname = '" + kind.database() + "'");
    }
  }

  /** Drops the templates, and all databases that trials left. */
  public static void drop(Target target) throws SQLException {
    try (Connection c = target.maintenance()) {
      String names =
          Sql.value(
              c,
              "SELECT coalesce(string_agg(datname, ' '), '') FROM pg_database"
                  + " WHERE datname LIKE 'pgtoaster\\_bench\\_%'");
      for (String name : names.isEmpty() ? new String[0] : names.split(" ", -1)) {
        Sql.run(c, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
      }
    }
    if (target.mongodbUrl() != null) {
      MongoServer.drop(target);
    }
  }

  private static void make(Target target, Connection maintenance, Kind kind) throws SQLException {
    Sql.run(maintenance, "CREATE DATABASE " + kind.database());
    try (Connection c = target.dataSource(kind.database()).getConnection()) {
      Sql.run(c, "CREATE SCHEMA bench");
      PgToaster.on(c).catalog().install();
      if (kind == Kind.EXTENSION) {
        PgToaster.on(c).catalog().createExtension();
        ExtensionStatus status = PgToaster.on(c).catalog().extension();
        if (!status.used()) {
          // It belongs to another catalog, so plain SQL would do all the work.
          throw new SQLException("the extension would not be used: " + status.advice());
        }
      }
      Sql.run(c, "VACUUM FREEZE ANALYZE");
    }
  }
}
