package io.pgtoaster.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server that this process starts and stops. It listens on 127.0.0.1 only and requires
 * a password (SCRAM), because other users of the machine can reach that address, too. It keeps
 * PostgreSQL's durable defaults ({@code fsync} and {@code synchronous_commit} on). A server that is
 * still running when the JVM exits normally is stopped. Thread-safe.
 *
 * <pre>{@code
 * try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(binaries).temporary().start()) {
 *   DriverManager.getConnection(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
 * }
 * }</pre>
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final int MAX_SOCKET_PATH = 107;
  private static final int LOG_LINES = 25;
  private static final long MAX_LOG_BYTES = 4L << 20;

  private final PostgresBinaries binaries;
  private final DataDirectory data;
  private final @Nullable TemporaryDirectory temporary;
  private final Map<String, String> settings;
  private final Duration timeout;
  private final int fixedPort;
  private int port;
  private @Nullable String password;
  private @Nullable Thread hook;
  private boolean closed;

  private EmbeddedPostgres(
      Builder builder, Path directory, @Nullable TemporaryDirectory temporary) {
    this.binaries = builder.binaries;
    this.data = new DataDirectory(directory, builder.binaries);
    this.temporary = temporary;
    this.settings = new LinkedHashMap<>(builder.settings);
    this.timeout = builder.timeout;
    this.fixedPort = builder.port;
  }

  /** Returns a builder for a server that runs the given programs. */
  public static Builder builder(PostgresBinaries binaries) {
    return new Builder(binaries);
  }

  /**
   * Starts the server, and returns once it accepts connections. Creates the data directory if it is
   * missing.
   *
   * @return this
   * @throws EmbeddedPostgresException if it is already running or does not start; the message has
   *     the last lines of its log
   */
  public synchronized EmbeddedPostgres start() {
    requireOpen();
    addHook();
    try {
      startServer();
      return this;
    } catch (IOException e) {
      removeHook();
      throw new EmbeddedPostgresException("cannot start a server in " + data.path(), e);
    } catch (RuntimeException e) {
      removeHook();
      throw e;
    }
  }

  private void startServer() throws IOException {
    data.initialise(temporary != null);
    ServerUser.current().requireReachable(data.parent());
    if (isRunning()) {
      throw new EmbeddedPostgresException("a server is already running in " + data.path());
    }
    password = data.password();
    Instant deadline = Instant.now().plus(timeout);
    int busyPorts = 0;
    while (true) {
      boolean choose = fixedPort == 0 && (port == 0 || busyPorts > 0);
      port = fixedPort != 0 ? fixedPort : choose ? freePort() : port;
      String failure = tryStart();
      if (failure == null) {
        return;
      }
      boolean orphansLeaving = failure.contains("pre-existing shared memory block");
      boolean portTaken = fixedPort == 0 && failure.contains("could not bind");
      busyPorts += portTaken ? 1 : 0;
      if (!(orphansLeaving || (portTaken && busyPorts < 5)) || Instant.now().isAfter(deadline)) {
        throw new EmbeddedPostgresException(
            "PostgreSQL "
                + binaries.version()
                + " did not start in "
                + data.path()
                + ":\n"
                + failure);
      }
    }
  }

  /**
   * Tries to start. Returns null on success, otherwise the output of the tool and the server's log.
   */
  private @Nullable String tryStart() throws IOException {
    Postmaster.disarmStaleFiles(data.path());
    data.configure(allSettings());
    long logged = rotateLog();
    Command.Result result =
        pgCtl("start", "-l", logFile().getFileName().toString(), "-s", seconds(timeout));
    if (result.succeeded()) {
      return null;
    }
    String failure = result.errors() + logTail(logged);
    if (isRunning()) {
      pgCtl("stop", "-m", StopMode.IMMEDIATE.argument(), seconds(timeout));
    }
    return failure;
  }

  private Map<String, String> allSettings() {
    String socket = data.path().resolve(".s.PGSQL.65535.lock").toString();
    boolean fits = socket.getBytes(StandardCharsets.UTF_8).length <= MAX_SOCKET_PATH;
    Map<String, String> all = new LinkedHashMap<>();
    all.put("listen_addresses", "127.0.0.1");
    all.put("unix_socket_directories", fits && FileTree.POSIX ? "." : "");
    all.putAll(settings);
    all.put("port", Integer.toString(port));
    return all;
  }

  private static int freePort() throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
      return socket.getLocalPort();
    }
  }

  private Command.Result pgCtl(String action, String... arguments) {
    List<String> all = new ArrayList<>(List.of(action, "-D", ".", "-w"));
    all.addAll(List.of(arguments));
    return Command.run(data.path(), Map.of(), binaries.command("pg_ctl", all));
  }

  private static String seconds(Duration duration) {
    return "--timeout=" + Math.max(1, duration.toSeconds());
  }

  /**
   * Joins the server that runs on the data directory, or starts one. The server outlives this
   * process until {@link #stop} is called.
   */
  synchronized void joinOrStart() throws IOException {
    Instant deadline = Instant.now().plus(timeout);
    while (true) {
      Optional<Postmaster> running = Postmaster.of(data.path());
      if (running.isEmpty()) {
        startServer();
        return;
      }
      if (running.get().isReady()) {
        data.initialise(temporary != null);
        port = running.get().port();
        password = data.password();
        return;
      }
      if (Instant.now().isAfter(deadline)) {
        throw new EmbeddedPostgresException(
            "process "
                + running.get().pid()
                + " runs in "
                + data.path()
                + " but accepts no connections");
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new EmbeddedPostgresException("interrupted while waiting for the server", e);
      }
    }
  }

  /**
   * Stops the server and waits until it has ended. Does nothing if it is not running.
   *
   * @throws EmbeddedPostgresException if it does not stop in time
   */
  public synchronized void stop(StopMode mode) {
    if (isRunning()) {
      Command.Result result = pgCtl("stop", "-m", mode.argument(), seconds(timeout));
      if (!result.succeeded() && isRunning()) {
        result.orThrow("PostgreSQL did not stop in " + data.path());
      }
    }
    removeHook();
  }

  /**
   * Stops with {@link StopMode#FAST} and starts again on the same port.
   *
   * @return this
   */
  public synchronized EmbeddedPostgres restart() {
    stop(StopMode.FAST);
    return start();
  }

  /**
   * Stops the server, immediately if it does not shut down cleanly. A temporary server is stopped
   * immediately, without writing data that would be discarded, and deleted. Has no effect when
   * called again.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (temporary == null) {
      stopSurely();
    } else {
      stop(StopMode.IMMEDIATE);
      try {
        temporary.close();
      } catch (IOException e) {
        throw new EmbeddedPostgresException("cannot delete " + temporary.path(), e);
      }
    }
  }

  synchronized void stopSurely() {
    try {
      stop(StopMode.FAST);
    } catch (EmbeddedPostgresException e) {
      stop(StopMode.IMMEDIATE);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new EmbeddedPostgresException("this server has been closed");
    }
  }

  private void addHook() {
    if (hook == null) {
      hook = new Thread(this::close, "pgtoaster-stop");
      Runtime.getRuntime().addShutdownHook(hook);
    }
  }

  /**
   * Removes the shutdown hook. A temporary server keeps it until it is closed, to delete its
   * directory.
   */
  private void removeHook() {
    if (hook != null && (temporary == null || closed)) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException jvmIsEnding) {
        return;
      }
      hook = null;
    }
  }

  /**
   * Returns the JDBC URL of a database, such as {@code postgres}, without user and password. The
   * URL already has parameters, so append more with an ampersand. They prevent the driver from
   * giving the password to another program that listens on the port after this server has stopped.
   */
  public String jdbcUrl(String database) {
    String name = URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
    return "jdbc:postgresql://127.0.0.1:"
        + port()
        + "/"
        + name
        + "?requireAuth="
        + (password() == null ? "!password" : "scram-sha-256");
  }

  /**
   * Returns the JDBC URL of a database with the superuser's name and password. Use it for a data
   * source, not in a log or in the arguments of a process, which every user of the machine can
   * read.
   */
  public String jdbcUrlWithPassword(String database) {
    String password = password();
    return jdbcUrl(database)
        + "&user="
        + user()
        + (password == null
            ? ""
            : "&password=" + URLEncoder.encode(password, StandardCharsets.UTF_8));
  }

  /** Returns the name of the superuser. */
  public String user() {
    return DataDirectory.USER;
  }

  /**
   * Returns the superuser's password, which is random unless the data was created elsewhere.
   * Returns null before the first start, and for data that was created elsewhere without a
   * password.
   */
  public synchronized @Nullable String password() {
    return password;
  }

  /** Returns the TCP port on 127.0.0.1; 0 before the first start unless it was specified. */
  public synchronized int port() {
    return port == 0 ? fixedPort : port;
  }

  /** Returns the directory of the server's files. */
  public Path dataDirectory() {
    return data.path();
  }

  /** Returns the file to which the server writes its messages, inside its data directory. */
  public Path logFile() {
    return data.path().resolve("server.log");
  }

  /** Returns the id of the server's main process, or 0 if it is not running. */
  public long pid() {
    return Postmaster.of(data.path()).map(Postmaster::pid).orElse(0L);
  }

  /** Returns true if the server's main process is running, regardless of who started it. */
  public boolean isRunning() {
    return pid() != 0;
  }

  private long rotateLog() throws IOException {
    long size = Files.exists(logFile()) ? Files.size(logFile()) : 0;
    if (size <= MAX_LOG_BYTES) {
      return size;
    }
    Path old = logFile().resolveSibling("server.log.1");
    Files.move(logFile(), old, StandardCopyOption.REPLACE_EXISTING);
    return 0;
  }

  private String logTail(long from) throws IOException {
    if (!Files.exists(logFile())) {
      return "";
    }
    try (RandomAccessFile log = new RandomAccessFile(logFile().toFile(), "r")) {
      long start = Math.max(from, log.length() - (64 << 10));
      byte[] bytes = new byte[(int) (log.length() - start)];
      log.seek(start);
      log.readFully(bytes);
      List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }
  }

  @Override
  public String toString() {
    return "PostgreSQL " + binaries.version() + " on port " + port() + " in " + data.path();
  }

  /** Configures a server. Not thread-safe. */
  public static final class Builder {
    private final PostgresBinaries binaries;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable Path directory;
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    private Duration timeout = Duration.ofSeconds(60);
    private int port;

    private Builder(PostgresBinaries binaries) {
      this.binaries = binaries;
    }

    /**
     * Keeps the data in a directory that outlives the server. It is created at the first start. New
     * data is protected by a random password in the file {@code <directory>.password}; an existing
     * directory keeps its password requirement.
     */
    public Builder dataDirectory(Path directory) {
      this.directory = directory;
      return this;
    }

    /**
     * Keeps the data in a temporary directory that {@link EmbeddedPostgres#close()} deletes. This
     * is the default. The data is copied from a template, so all temporary servers of one build
     * have the same system identifier and the same random password. The password is stored in the
     * cache and next to the data, in files that only this user of the machine can read.
     */
    public Builder temporary() {
      this.directory = null;
      return this;
    }

    /**
     * Keeps the data in a temporary directory inside this one instead of {@code java.io.tmpdir}. In
     * memory, for example in {@code /dev/shm}, the server creates and drops databases several times
     * faster.
     */
    public Builder temporary(Path parent) {
      this.parent = parent;
      return temporary();
    }

    /** Sets the port to listen on; 0, the default, selects any free port. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /**
     * Sets a configuration parameter of the server, such as {@code wal_level} to {@code logical}.
     */
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** Sets the maximum duration of a start or stop; 60 seconds by default. */
    public Builder timeout(Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /**
     * Returns the server, not yet started.
     *
     * @throws EmbeddedPostgresException if a temporary directory cannot be created
     */
    public EmbeddedPostgres build() {
      if (directory != null) {
        return new EmbeddedPostgres(this, directory, null);
      }
      try {
        TemporaryDirectory temporary = TemporaryDirectory.create(parent, binaries);
        return new EmbeddedPostgres(this, temporary.path().resolve("data"), temporary);
      } catch (IOException e) {
        throw new EmbeddedPostgresException("cannot create a temporary directory", e);
      }
    }

    /**
     * Returns the started server. A temporary server that fails to start leaves no files.
     *
     * @throws EmbeddedPostgresException if it does not start
     */
    public EmbeddedPostgres start() {
      EmbeddedPostgres postgres = build();
      try {
        return postgres.start();
      } catch (RuntimeException e) {
        postgres.close();
        throw e;
      }
    }
  }
}
