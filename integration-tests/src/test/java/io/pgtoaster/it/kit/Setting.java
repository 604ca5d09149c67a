package io.pgtoaster.it.kit;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where a contract runs: on which server, and on whose connections.
 *
 * @param version of PostgreSQL
 * @param own whether each call has its own connection and transaction; otherwise the calls share a
 *     connection of the caller in autocommit mode
 */
public record Setting(int version, boolean own) {
  /** All versions with own connections, and the oldest and newest with the caller's. */
  public static List<Setting> all() {
    return Stream.concat(
            PostgresServers.versions().stream().map(v -> new Setting(v, true)),
            PostgresServers.edges().stream().map(v -> new Setting(v, false)))
        .toList();
  }

  /** The oldest and the newest version, with own connections. */
  public static List<Setting> edges() {
    return PostgresServers.edges().stream().map(v -> new Setting(v, true)).toList();
  }

  /** The newest version, with own connections. */
  public static List<Setting> newest() {
    return List.of(new Setting(PostgresServers.newest(), true));
  }

  /** Postgres Pro's server, with own connections and with the caller's. */
  public static List<Setting> postgresPro() {
    return Stream.of(true, false)
        .map(own -> new Setting(PostgresServers.POSTGRES_PRO, own))
        .toList();
  }

  /** The servers that have lz4. */
  public static List<Setting> lz4() {
    List<Setting> found =
        PostgresServers.edges().stream()
            .filter(v -> PostgresServers.shared(v).hasLz4())
            .map(v -> new Setting(v, true))
            .toList();
    if (found.isEmpty() && PostgresServers.versions().contains(15)) {
      throw new AssertionError("no server with lz4; install the distribution's PostgreSQL 15");
    }
    return found;
  }

  @Override
  public String toString() {
    return PostgresServers.name(version)
        + (own ? ", own connections" : ", the caller's connection");
  }
}
