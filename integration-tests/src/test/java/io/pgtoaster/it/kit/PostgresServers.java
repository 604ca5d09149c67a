package io.pgtoaster.it.kit;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.PostgresBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The servers under test: one per PostgreSQL version, started on first use and stopped when the JVM
 * ends. If a version cannot start, its tests fail; they are never skipped.
 */
public final class PostgresServers {
  /** Represents Postgres Pro's server instead of a version. The tests do not start it. */
  public static final int POSTGRES_PRO = 0;

  /** Represents a Citus cluster instead of a version. The tests do not start it. */
  public static final int CITUS = -1;

  private static final String CITUS_URL = "pgtoaster.test.citus.url";
  private static final String POSTGRES_PRO_URL = "pgtoaster.test.postgrespro.url";

  static final String NO_EXTENSION =
      "the C extension has not been built; to enable: extension/versions build";

  public static final String NO_PGBOUNCER = "to enable: apt-get install pgbouncer";

  private static final AtomicBoolean TOLD_PGBOUNCER = new AtomicBoolean();
  private static final AtomicBoolean TOLD_SERVER = new AtomicBoolean();
  private static final AtomicBoolean TOLD = new AtomicBoolean();
  private static final Path DISTRIBUTION_15 = Path.of("/usr/lib/postgresql/15");
  private static final Path MEMORY = Path.of("/dev/shm");

  /** The bytes that twelve servers need, each with the databases of one class. */
  private static final long MIN_FREE_BYTES = 6L << 30;

  private static final Path SHARE_15 = Path.of("/usr/share/postgresql/15");
  private static final Map<Integer, PostgresBinaries> BINARIES = new TreeMap<>();
  private static final Map<Integer, Server> SERVERS = new TreeMap<>();

  private PostgresServers() {}

  /**
   * Whether tests that need the distribution's PostgreSQL 15 run. Always true in CI, so that these
   * tests fail if it is missing.
   */
  public static boolean offersDistribution() {
    return System.getenv("CI") != null || Files.isExecutable(DISTRIBUTION_15.resolve("bin/initdb"));
  }

  /** Whether tests with the distribution's PgBouncer run. Always true in CI. */
  public static boolean offersPgBouncer() {
    boolean installed = PgBouncer.isInstalled();
    if (!installed && System.getenv("CI") == null && !TOLD_PGBOUNCER.getAndSet(true)) {
      System.out.println("Tests are skipped: " + NO_PGBOUNCER);
    }
    return installed || System.getenv("CI") != null;
  }

  /**
   * Whether the servers of all {@link #versions()} have the files of the C extension. Always true
   * in CI, so that tests fail if the build is missing.
   */
  public static boolean offersExtension() {
    boolean all = versions().stream().allMatch(PostgresServers::offersExtension);
    if (!all && !TOLD.getAndSet(true)) {
      // Reports do not mention a parameterized class that is skipped as a whole.
      System.out.println("Tests are skipped: " + NO_EXTENSION);
    }
    return all;
  }

  /** Whether the servers of a version have the files of the C extension. Always true in CI. */
  public static boolean offersExtension(int version) {
    boolean built = new ExtensionFiles(version).exist();
    if (!built && System.getenv("CI") != null) {
      throw new AssertionError(NO_EXTENSION + " " + version);
    }
    return built;
  }

  /** The versions on which tests run. */
  public static List<Integer> versions() {
    return Breadth.chosen().versions();
  }

  static String name(int version) {
    return switch (version) {
      case POSTGRES_PRO -> "Postgres Pro";
      case CITUS -> "Citus";
      default -> "PostgreSQL " + version;
    };
  }

  /**
   * The oldest and the newest of {@link #versions()}; a part of the plan runs {@linkplain
   * Plan#inTurn one} of them.
   */
  public static List<Integer> edges() {
    return Plan.inTurn(bothEdges());
  }

  static List<Integer> bothEdges() {
    List<Integer> all = versions().stream().sorted().toList();
    return all.size() < 2 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  /**
   * Returns the versions for tests of behaviour that the contracts already check on every version:
   * {@link #edges()}, or every version if all settings run.
   */
  public static List<Integer> sampled() {
    return Breadth.chosen() == Breadth.ALL ? versions() : edges();
  }

  /** The newest of {@link #versions()}. */
  public static int newest() {
    return versions().stream().mapToInt(v -> v).max().orElseThrow();
  }

  /**
   * Returns the programs of a version. Version 15 is the distribution's if that is installed,
   * because it has the client tools and lz4, which the archives lack. Contains the C extension if
   * it has been built.
   */
  public static synchronized PostgresBinaries binaries(int version) {
    return BINARIES.computeIfAbsent(version, PostgresServers::find);
  }

  /**
   * Whether there is a server of a version that Maven Central does not have. Always true in CI, so
   * that its tests fail if it is missing.
   */
  static boolean offers(int version) {
    boolean there = Files.exists(new ExtensionFiles(version).server());
    if (!there && System.getenv("CI") == null && !TOLD_SERVER.getAndSet(true)) {
      System.out.printf(
          "Not on PostgreSQL %d; to enable: extension/versions build %d%n", version, version);
    }
    return there || System.getenv("CI") != null;
  }

  /** Whether tests for features of PostgreSQL 19 run. */
  static boolean runs19() {
    return versions().contains(19);
  }

  private static PostgresBinaries find(int version) {
    ExtensionFiles extension = new ExtensionFiles(version);
    Path jars = Path.of(System.getProperty("pgtoaster.postgres.dir"));
    if (version == 15 && Files.isExecutable(DISTRIBUTION_15.resolve("bin/initdb"))) {
      return extension.exist()
          ? extension.overlay(
              DISTRIBUTION_15,
              SHARE_15,
              jars.resolveSibling("postgres-15-" + ProcessHandle.current().pid()))
          : PostgresBinaries.fromDirectory(DISTRIBUTION_15);
    }
    PostgresBinaries unpacked =
        PostgresBinaries.fromArchiveJar(
            version > 18 ? extension.server() : jars.resolve("postgres-" + version + ".jar"),
            jars.resolveSibling("postgres-cache").toAbsolutePath());
    return extension.exist() ? extension.addTo(unpacked) : unpacked;
  }

  /**
   * Returns the server of a version, which all tests share. It does not survive a crash of the
   * machine.
   */
  public static synchronized Server shared(int version) {
    return SERVERS.computeIfAbsent(
        version,
        v ->
            switch (v) {
              case POSTGRES_PRO -> Server.given(url());
              case CITUS -> Server.citus(System.getProperty(CITUS_URL));
              default -> new Server(start(v), v);
            });
  }

  /** Called when a test class has ended. */
  static synchronized void dropDatabases(String test) {
    Attached.forget();
    SERVERS.values().forEach(server -> server.dropDatabases(test));
  }

  /**
   * Whether tests of distributed columns run on a cluster; otherwise they use a server without
   * Citus.
   */
  static boolean offersCitus() {
    return !System.getProperty(CITUS_URL, "").isBlank();
  }

  private static String url() {
    String url = System.getProperty(POSTGRES_PRO_URL, "");
    if (url.isBlank()) {
      throw new AssertionError("set the property " + POSTGRES_PRO_URL + "; see PostgresProByteaIT");
    }
    return url;
  }

  private static EmbeddedPostgres start(int version) {
    EmbeddedPostgres.Builder builder = builder(version);
    // Creating and dropping a database takes 30 ms of CPU time in memory, and 190 ms on a disk.
    if (Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() > MIN_FREE_BYTES) {
      builder.temporary(MEMORY);
    }
    return builder
        .setting("fsync", "off")
        .setting("full_page_writes", "off")
        .setting("shared_buffers", "64MB")
        // Twelve of these servers run at the same time.
        .setting("max_wal_size", "128MB")
        .setting("deadlock_timeout", "300ms")
        // {@code gc} keeps content that is younger than any transaction, including autovacuum's.
        .setting("autovacuum", "off")
        .start();
  }

  /** Returns the settings of a server for a single test. */
  public static EmbeddedPostgres.Builder builder(int version) {
    return EmbeddedPostgres.builder(binaries(version))
        .temporary()
        .timeout(Wait.DEADLINE)
        .setting("max_connections", "200")
        .setting("log_min_messages", "warning")
        .setting("log_min_error_statement", "panic");
  }
}
