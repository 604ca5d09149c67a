package io.pgtoaster.it.kit;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where a contract runs: on which server, on whose connections, by which executor.
 *
 * @param version of PostgreSQL
 * @param own whether each call has its own connection and transaction; otherwise the calls share a
 *     connection of the caller in autocommit mode
 * @param extension whether the server extension is installed and used
 */
public record Setting(int version, boolean own, boolean extension) {
  public Setting(int version, boolean own) {
    this(version, own, false);
  }

  /** All versions with own connections, and the oldest and newest with the caller's. */
  public static List<Setting> all() {
    return Stream.concat(
            PostgresServers.versions().stream().map(v -> new Setting(v, true)),
            PostgresServers.edges().stream().map(v -> new Setting(v, false)))
        .toList();
  }

  /**
   * By plain SQL and by the extension: the oldest and the newest version by both, those between
   * them by turns. With the property pgtoaster.test.settings=all by both as well.
   */
  public static List<Setting> allByTurns() {
    return allByBoth(0);
  }

  /** The same, and of the versions between each by the executor that {@link #allByTurns} omits. */
  public static List<Setting> allByOtherTurns() {
    return allByBoth(1);
  }

  private static List<Setting> allByBoth(int turn) {
    Stream<Setting> extension =
        Stream.concat(
            PostgresServers.versions().stream().map(v -> new Setting(v, true, true)),
            Stream.of(new Setting(PostgresServers.newest(), false, true)));
    return Stream.concat(all().stream(), extension.filter(Setting::offered))
        .filter(setting -> setting.hasTurn(turn))
        .toList();
  }

  private boolean hasTurn(int turn) {
    return "all".equals(System.getProperty("pgtoaster.test.settings"))
        || PostgresServers.edges().contains(version)
        || !PostgresServers.offersExtension(version)
        || extension == ((version + turn) % 2 == 0);
  }

  /** The oldest and the newest version, with own connections. */
  public static List<Setting> edges() {
    return PostgresServers.edges().stream().map(v -> new Setting(v, true)).toList();
  }

  /** The same by plain SQL, and the newest by the extension. */
  public static List<Setting> edgesByBoth() {
    return Stream.concat(
            edges().stream(),
            newest().stream().map(Setting::withExtension).filter(Setting::offered))
        .toList();
  }

  /** The newest version, with own connections. */
  public static List<Setting> newest() {
    return List.of(new Setting(PostgresServers.newest(), true));
  }

  /** The same, by plain SQL and by the extension. */
  public static List<Setting> newestByBoth() {
    return byBoth(newest());
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

  /** The same, each by plain SQL and by the extension. */
  public static List<Setting> lz4ByBoth() {
    return byBoth(lz4());
  }

  /** Settings, and behind them the same with the extension. */
  public static List<Setting> byBoth(List<Setting> settings) {
    return Stream.concat(
            settings.stream(),
            settings.stream().map(Setting::withExtension).filter(Setting::offered))
        .toList();
  }

  public Setting withExtension() {
    return new Setting(version, own, true);
  }

  private boolean offered() {
    return PostgresServers.offersExtension(version);
  }

  @Override
  public String toString() {
    return PostgresServers.name(version)
        + (own ? ", own connections" : ", the caller's connection")
        + (extension ? ", extension" : "");
  }
}
