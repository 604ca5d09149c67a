package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Templates;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Features of the servers.
 *
 * @param extension whether the library's extension is available
 * @param postgresPro whether a server of Postgres Pro was given
 * @param mongodb the server with MongoDB's protocol: MongoDB or FerretDB; null if there is none
 * @param lz4 whether the server can compress with lz4
 * @param lz4Default whether it does so by default
 * @param cores number of cores of this machine
 * @param durable whether commits wait for the disk
 */
public record Available(
    boolean extension,
    boolean postgresPro,
    @Nullable String mongodb,
    boolean lz4,
    boolean lz4Default,
    int cores,
    boolean durable) {
  /** Asks the servers. */
  public static Available of(Target target) throws SQLException {
    try (Connection c = target.maintenance(Kind.PLAIN)) {
      return new Available(
          Templates.has(target, Kind.EXTENSION),
          Templates.has(target, Kind.POSTGRES_PRO),
          target.mongodbUrl() == null ? null : MongoServer.name(target),
          Sql.holds(
              c,
              "SELECT count(*) > 0 FROM pg_settings"
                  + " WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)"),
          Sql.holds(c, "SELECT current_setting('default_toast_compression') = 'lz4'"),
          Runtime.getRuntime().availableProcessors(),
          target.durable());
    }
  }
}
