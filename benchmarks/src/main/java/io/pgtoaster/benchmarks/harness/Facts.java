package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Available;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Templates;
import java.sql.Connection;
import java.sql.SQLException;

/** What the servers can do. */
final class Facts {
  private Facts() {}

  static Available of(Target target) throws SQLException {
    try (Connection c = target.maintenance(Kind.PLAIN)) {
      return new Available(
          Templates.has(target, Kind.EXTENSION),
          Templates.has(target, Kind.POSTGRES_PRO),
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
