package io.pgtoaster.benchmarks.server;

import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Template databases for those of the trials. */
public final class Templates {
  private Templates() {}

  /** Creates the templates that the servers support. */
  public static void make(Target target) throws SQLException {
    check(target, Kind.PLAIN);
    if (target.postgresProUrl() != null) {
      check(target, Kind.POSTGRES_PRO);
    }
    drop(target);
    make(target, Kind.PLAIN);
    if (target.postgresProUrl() != null) {
      make(target, Kind.POSTGRES_PRO);
    }
    try (Connection c = target.maintenance(Kind.PLAIN)) {
      if (Sql.holds(
          c, "SELECT count(*) > 0 FROM pg_available_extensions WHERE name = 'pgtoaster'")) {
        make(target, Kind.EXTENSION);
      }
    }
  }

  private static void check(Target target, Kind kind) throws SQLException {
    try (Connection c = target.maintenance(kind)) {
      if (!Sql.holds(c, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
        throw new SQLException(
            "the user of the URL must be a superuser: the run creates databases and extensions");
      }
      if (c.getMetaData().getDatabaseMajorVersion() < 15) {
        throw new SQLException("the server must be PostgreSQL 15 or later, for its statistics");
      }
      if (kind == Kind.POSTGRES_PRO
          && !Sql.holds(
              c,
              "SELECT count(*) = 2 FROM pg_available_extensions"
                  + " WHERE name IN ('bytea_toaster', 'jsonb_toaster')")) {
        throw new SQLException(
            "--postgres-pro must name a server with bytea_toaster and jsonb_toaster");
      }
    }
  }

  /** Returns whether there is a template of this kind. */
  public static boolean has(Target target, Kind kind) throws SQLException {
    if (kind == Kind.POSTGRES_PRO && target.postgresProUrl() == null) {
      return false;
    }
    try (Connection c = target.maintenance(kind)) {
      return Sql.holds(
          c, "SELECT count(*) > 0 FROM pg_database WHERE datname = '" + kind.database() + "'");
    }
  }

  /** Drops the templates, and all databases that trials left. */
  public static void drop(Target target) throws SQLException {
    drop(target, Kind.PLAIN);
    if (target.postgresProUrl() != null) {
      drop(target, Kind.POSTGRES_PRO);
    }
    if (target.mongodbUrl() != null) {
      MongoServer.drop(target);
    }
  }

  /** Drops them on the server of one kind. */
  public static void drop(Target target, Kind kind) throws SQLException {
    try (Connection c = target.maintenance(kind)) {
      List<String> names = new ArrayList<>();
      try (Statement s = c.createStatement();
          ResultSet r =
              s.executeQuery(
                  "SELECT datname FROM pg_database WHERE datname LIKE 'pgtoaster\\_bench\\_%'")) {
        while (r.next()) {
          names.add(r.getString(1));
        }
      }
      for (String name : names) {
        Sql.run(c, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
      }
    }
  }

  private static void make(Target target, Kind kind) throws SQLException {
    try (Connection c = target.maintenance(kind)) {
      Sql.run(c, "CREATE DATABASE " + kind.database());
    }
    try (Connection c = target.dataSource(kind, kind.database()).getConnection()) {
      Sql.run(c, "CREATE SCHEMA bench");
      if (kind == Kind.POSTGRES_PRO) {
        Sql.run(c, "CREATE EXTENSION bytea_toaster");
        Sql.run(c, "CREATE EXTENSION jsonb_toaster");
        return;
      }
      PgToaster.on(c).catalog().install();
      if (kind == Kind.EXTENSION) {
        PgToaster.on(c).catalog().createExtension();
        ExtensionStatus status = PgToaster.on(c).catalog().extension();
        checkUsed(status.used(), status.advice());
      }
      Sql.run(c, "VACUUM FREEZE ANALYZE");
    }
  }

  /** Fails if the extension belongs to another catalog: plain SQL would do all the work. */
  static void checkUsed(boolean used, @Nullable String advice) throws SQLException {
    if (!used) {
      throw new SQLException("the extension would not be used: " + advice);
    }
  }
}
