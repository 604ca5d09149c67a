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
 * @param pgBouncer whether the library's connections go through PgBouncer, which pools by
 *     transaction
 * @param transparent whether plain SQL of the database sees split documents as whole ones; with the
 *     property pgtoaster.test.transparent it does in every setting
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

  /** The oldest and the newest version of those that run, with own connections. */
  public static List<Setting> edges() {
    return PostgresServers.edges().stream().map(v -> new Setting(v, true)).toList();
  }

  /** The same by plain SQL, and the newest by the extension. */
  public static List<Setting> edgesByBoth() {
    return Stream.concat(edges().stream(), newest().stream().map(Setting::withExtension))
        .filter(Setting::runs)
        .toList();
  }

  /** The same, where plain SQL sees split documents as whole ones. */
  public static List<Setting> edgesTransparent() {
    return edges().stream().map(Setting::withTransparency).toList();
  }

  /** The newest version, with own connections. */
  public static List<Setting> newest() {
    return List.of(new Setting(PostgresServers.newest(), true));
  }

  /** The same, by each executor that runs. */
  public static List<Setting> newestByBoth() {
    return byBoth(newest());
  }

  /**
   * The oldest version through PgBouncer, with own connections; not with {@link Breadth#NEWEST}.
   */
  public static List<Setting> throughPgBouncer() {
    return Breadth.chosen() == Breadth.NEWEST
        ? List.of()
        : List.of(new Setting(PostgresServers.edges().get(0), true, false, true));
  }

  /** Postgres Pro's server, with own connections and with the caller's. */
  public static List<Setting> postgresPro() {
    return Stream.of(true, false)
        .map(own -> new Setting(PostgresServers.POSTGRES_PRO, own))
        .toList();
  }

  /** Settings, each by the executors that run. */
  public static List<Setting> byBoth(List<Setting> settings) {
    return Stream.concat(settings.stream(), settings.stream().map(Setting::withExtension))
        .filter(Setting::runs)
        .toList();
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

  /** A new database with the catalog installed, and what the setting says. */
  public Database installed() {
    Database database = PostgresServers.shared(version).installed();
    prepare(database);
    return database;
  }

  /** Gives a database the extension where it is used, and has its plain SQL see whole documents. */
  public void prepare(Database database) {
    if (extension || transparent) {
      database.run("CREATE EXTENSION pgtoaster");
    }
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
