package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Templates;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Features of the servers.
 *
 * @param extension whether the library's extension is available
 * @param postgresPro whether a Postgres Pro server was given
 * @param mongodb whether a MongoDB server was given
 * @param lz4 whether the server supports lz4
 * @param hstore whether the extension hstore is available
 * @param cores cores of this machine
 * @param durable whether commits wait for the disk
 */
public record Available(
    boolean extension,
    boolean postgresPro,
    boolean mongodb,
    boolean lz4,
    boolean hstore,
    int cores,
    boolean durable) {
  /** Asks the servers. */
  public static Available of(Target target) throws SQLException {
    try (Connection c = target.maintenance(Kind.PLAIN)) {
      return new Available(
          Templates.has(target, Kind.EXTENSION),
          Templates.has(target, Kind.POSTGRES_PRO),
          target.mongodbUrl() != null,
          Sql.holds(
              c,
              "SELECT count(*) > 0 FROM pg_settings"
                  + " WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)"),
          Sql.holds(c, "SELECT count(*) > 0 FROM pg_available_extensions WHERE name = 'hstore'"),
          Runtime.getRuntime().availableProcessors(),
          target.durable());
    }
  }
}
