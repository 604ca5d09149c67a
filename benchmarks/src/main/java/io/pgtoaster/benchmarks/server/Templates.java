package io.pgtoaster.benchmarks.server;

import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Databases that those of the trials are copied from. */
public final class Templates {
  private Templates() {}

  /** Makes those that the servers can have. */
  public static void make(Target target) throws SQLException {
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

  /** Whether there are databases of that kind. */
  public static boolean has(Target target, Kind kind) throws SQLException {
    if (kind == Kind.POSTGRES_PRO && target.postgresProUrl() == null) {
      return false;
    }
    try (Connection c = target.maintenance(kind)) {
      return Sql.holds(
          c, "SELECT count(*) > 0 FROM pg_database WHERE datname = '" + kind.database() + "'");
    }
  }

  /** Drops all databases that trials have left, and the templates. */
  public static void drop(Target target) throws SQLException {
    drop(target, Kind.PLAIN);
    if (target.postgresProUrl() != null) {
      drop(target, Kind.POSTGRES_PRO);
    }
  }

  private static void drop(Target target, Kind kind) throws SQLException {
    try (Connection c = target.maintenance(kind)) {
      List<String> names = new ArrayList<>();
      try (Statement s = c.createStatement();
          ResultSet r =
              s.executeQuery("SELECT datname FROM pg_database WHERE datname LIKE 'bench\\_%'")) {
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
      }
      Sql.run(c, "VACUUM FREEZE ANALYZE");
    }
  }
}
