package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Templates;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What the servers have.
 *
 * @param extension the library's
 * @param postgresPro a patched server was named
 * @param mongodb a server of it was named
 * @param lz4 the server can compress by it
 * @param hstore the extension of that name
 * @param cores of this machine
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
  /** Asks them. */
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
