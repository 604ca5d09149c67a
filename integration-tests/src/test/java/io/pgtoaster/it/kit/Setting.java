package io.pgtoaster.it.kit;

import java.util.List;
import java.util.stream.Stream;

/**
 * The server, connections and executor of a contract.
 *
 * @param version the version of PostgreSQL
 * @param own whether each call has a separate connection and transaction; otherwise calls share a
 *     connection of the caller in autocommit mode
 * @param extension whether the server extension is installed and used
 * @param pgBouncer whether the library's connections go through PgBouncer in transaction mode
 * @param transparent whether plain SQL in the database sees split documents as whole documents;
 *     always true with the property pgtoaster.test.transparent
 */
public record Setting(
    int version, boolean own, boolean extension, boolean pgBouncer, boolean transparent) {
  public Setting(int version, boolean own, boolean extension, boolean pgBouncer) {
    this(version, own, extension, pgBouncer, Boolean.getBoolean("pgtoaster.test.transparent"));
  }

  public Setting(int version, boolean own, boolean extension) {
    this(version, own, extension, false);
  }

  public Setting(int version, boolean own) {
    this(version, own, false);
  }

  /**
   * The oldest and the newest of the versions that run, with separate connections. Here and below,
   * a part of the plan runs {@linkplain Plan#inTurn one} of several settings.
   */
  public static List<Setting> edges() {
    return PostgresServers.edges().stream().map(v -> new Setting(v, true)).toList();
  }

  /** The same in plain SQL, and the newest with the extension. */
  public static List<Setting> edgesByBoth() {
    Stream<Setting> both = PostgresServers.bothEdges().stream().map(v -> new Setting(v, true));
    return Plan.inTurn(
        Stream.concat(both, newest().stream().map(Setting::withExtension))
            .filter(Setting::runs)
            .toList());
  }

  /** The same with transparent SQL. */
  public static List<Setting> edgesTransparent() {
    return edges().stream().map(Setting::withTransparency).toList();
  }

  /** The newest version, with separate connections. */
  public static List<Setting> newest() {
    return List.of(new Setting(PostgresServers.newest(), true));
  }

  /** The same, with each executor that runs. */
  public static List<Setting> newestByBoth() {
    return byBoth(newest());
  }

  /** Postgres Pro's server, with separate and with the caller's connections. */
  public static List<Setting> postgresPro() {
    return Stream.of(true, false)
        .map(own -> new Setting(PostgresServers.POSTGRES_PRO, own))
        .toList();
  }

  /** Returns the settings with each executor that runs. */
  public static List<Setting> byBoth(List<Setting> settings) {
    return Plan.inTurn(
        Stream.concat(settings.stream(), settings.stream().map(Setting::withExtension))
            .filter(Setting::runs)
            .toList());
  }

  public Setting withExtension() {
    return new Setting(version, own, true, pgBouncer, transparent);
  }

  public Setting withTransparency() {
    return new Setting(version, own, extension, pgBouncer, true);
  }

  public Setting withoutTransparency() {
    return new Setting(version, own, extension, pgBouncer, false);
  }

  /** Creates a database with the catalog and the features of the setting. */
  public Database installed() {
    Database database = PostgresServers.shared(version).installed();
    prepare(database);
    return database;
  }

  /** Installs the extension if the setting uses it, and turns on transparent SQL if requested. */
  public void prepare(Database database) {
    if (extension || transparent) {
      database.run("CREATE EXTENSION pgtoaster");
    }
    configure(database);
  }

  /** Turns on transparent SQL if requested. A copy of a database does not have its settings. */
  void configure(Database database) {
    if (transparent) {
      database.set("session_preload_libraries", "'pgtoaster'");
      database.set("pgtoaster.transparent", "on");
    }
  }

  /** Whether contracts run with {@link UnusualSettings}: the property pgtoaster.test.unusual. */
  boolean unusual() {
    return Boolean.getBoolean("pgtoaster.test.unusual");
  }

  private boolean runs() {
    return Breadth.chosen().executors().contains(extension);
  }

  @Override
  public String toString() {
    return PostgresServers.name(version)
        + (own ? ", own connections" : ", the caller's connection")
        + (extension ? ", extension" : "")
        + (pgBouncer ? ", PgBouncer" : "")
        + (transparent ? ", transparent" : "")
        + (unusual() ? ", unusual settings" : "");
  }
}
