package io.pgtoaster;

import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.column.ServerExtension;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads the versions of the server extension, creates it and updates it. */
final class Extension {
  private static final String VERSIONS =
      """
      SELECT (SELECT e.extversion FROM pg_catalog.pg_extension e WHERE e.extname = 'pgtoaster'),
             (SELECT a.default_version FROM pg_catalog.pg_available_extensions a WHERE a.name = 'pgtoaster'),
             coalesce((SELECT pg_catalog.pg_has_role(e.extowner, 'USAGE') FROM pg_catalog.pg_extension e
                       WHERE e.extname = 'pgtoaster'), false)
      """;

  private Extension() {}

  private record Versions(@Nullable String installed, @Nullable String available, boolean mine) {
    boolean outdated() {
      return installed != null && available != null && !installed.equals(available);
    }

    static Versions of(Connection connection) throws SQLException {
      return Query.one(
          connection, VERSIONS, r -> new Versions(r.getString(1), r.getString(2), r.getBoolean(3)));
    }
  }

  static ExtensionStatus status(Connection connection) throws SQLException {
    Versions versions = Versions.of(connection);
    int module = ServerExtension.catalogVersion(connection);
    int catalog = ColumnLookup.installedVersion(connection);
    boolean used = module != 0 && module == catalog;
    return new ExtensionStatus(
        versions.installed(), versions.available(), used, advice(versions, module, catalog));
  }

  private static @Nullable String advice(Versions versions, int module, int catalog) {
    if (versions.installed() == null) {
      return versions.available() == null
          ? null
          : "it is available on the server; a superuser can run CREATE EXTENSION pgtoaster to make calls"
              + " faster";
    }
    if (catalog == 0) {
      return "the catalog is not installed; install it";
    }
    if (module == 0) {
      return "this role may not call its functions; GRANT USAGE ON SCHEMA toaster";
    }
    if (module != catalog) {
      return "it supports catalog version %s, but the catalog has version %s, so calls use plain SQL; %s"
          .formatted(
              module,
              catalog,
              module < catalog
                  ? "install the newer extension on the server, then ALTER EXTENSION pgtoaster UPDATE"
                  : "to upgrade the catalog, run install with the library that matches the extension");
    }
    return versions.outdated()
        ? "version " + versions.available() + " is available: ALTER EXTENSION pgtoaster UPDATE"
        : null;
  }

  /** Updates an installed extension to the version on the server, if the current role owns it. */
  static void update(Connection connection) throws SQLException {
    Versions versions = Versions.of(connection);
    if (versions.mine() && versions.outdated()) {
      Query.update(connection, "ALTER EXTENSION pgtoaster UPDATE");
    }
  }

  static void create(Connection connection) throws SQLException {
    Query.update(connection, "CREATE EXTENSION IF NOT EXISTS pgtoaster");
  }
}
