package io.pgtoaster.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A permanent server that several processes use at the same time. The first process starts it and
 * the last one stops it. It survives the end of the process that started it.
 *
 * <p>Every process holds a shared lock on {@code users.lock} while it uses the server. If a process
 * leaves and can then lock that file exclusively, it was the last one. A killed process also
 * leaves, but cannot stop the server, so the next user finds the server running. {@code start.lock}
 * serialises starts and stops. Thread-safe.
 */
public final class SharedServer implements AutoCloseable {
  private static final Map<Path, Users> USERS = new ConcurrentHashMap<>();

  private final Path home;
  private final EmbeddedPostgres postgres;
  private final Thread hook = new Thread(this::close, "pgtoaster-leave");
  private boolean entered; // like closed, guarded by the start lock
  private boolean closed;

  private SharedServer(Path home, EmbeddedPostgres postgres) {
    this.home = home;
    this.postgres = postgres;
  }

  /**
   * Joins the server of a home directory, or starts it.
   *
   * @param binaries the programs to start it with
   * @param home contains {@code data}, {@code data.password} and the locks; created if missing; see
   *     {@link Home#dataDirectory()}
   * @throws EmbeddedPostgresException if it does not start, or its data has a different major
   *     version
   */
  public static SharedServer open(PostgresBinaries binaries, Path home) {
    return open(EmbeddedPostgres.builder(binaries), home);
  }

  /**
   * Joins the server of a home directory, or starts it with the settings of a builder. The
   * builder's data directory is ignored. A server that is already running keeps its settings.
   */
  public static SharedServer open(EmbeddedPostgres.Builder builder, Path home) {
    Path directory = home.toAbsolutePath().normalize();
    EmbeddedPostgres postgres = builder.dataDirectory(directory.resolve("data")).build();
    SharedServer server = new SharedServer(directory, postgres);
    Runtime.getRuntime().addShutdownHook(server.hook);
    try {
      FileTree.create(directory, ServerUser.current().directoryMode());
      LockFile.holding(server.startLock(), server::enter);
      return server;
    } catch (IOException e) {
      server.close();
      throw new EmbeddedPostgresException("cannot use the server in " + home, e);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private Path startLock() {
    return home.resolve("start.lock");
  }

  private void enter() throws IOException {
    if (closed) {
      throw new EmbeddedPostgresException("the JVM is ending");
    }
    Users.of(home).enter();
    entered = true;
    postgres.joinOrStart();
  }

  /** Leaves the server, and stops it if no one else uses it. Has no effect when called again. */
  @Override
  public void close() {
    try {
      LockFile.holding(startLock(), this::leave);
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot stop using the server in " + home, e);
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException jvmIsEnding) {
      return;
    }
  }

  private void leave() throws IOException {
    closed = true;
    if (entered) {
      entered = false;
      if (Users.of(home).leave()) {
        postgres.stopSurely();
      }
    }
  }

  /** Returns the JDBC URL of a database, such as {@code postgres}, without user and password. */
  public String jdbcUrl(String database) {
    return postgres.jdbcUrl(database);
  }

  /**
   * Returns the JDBC URL with user and password; see {@link EmbeddedPostgres#jdbcUrlWithPassword}.
   */
  public String jdbcUrlWithPassword(String database) {
    return postgres.jdbcUrlWithPassword(database);
  }

  /** Returns the name of the superuser. */
  public String user() {
    return postgres.user();
  }

  /**
   * Returns the superuser's password, stored in {@code data.password}, readable by this user only.
   */
  public @Nullable String password() {
    return postgres.password();
  }

  /** Returns the TCP port on 127.0.0.1. It changes on each start unless it was specified. */
  public int port() {
    return postgres.port();
  }

  /** Returns the id of the server's main process, or 0 if it has died. */
  public long pid() {
    return postgres.pid();
  }

  /** Returns the file to which the server writes its messages. */
  public Path logFile() {
    return postgres.logFile();
  }

  /** The users of one home in this process, which share one lock; guarded by the start lock. */
  private static final class Users {
    private final Path file;
    private @Nullable FileChannel channel;
    private @Nullable FileLock shared;
    private int count;

    Users(Path home) {
      this.file = home.resolve("users.lock");
    }

    static Users of(Path home) {
      return USERS.computeIfAbsent(home, Users::new);
    }

    void enter() throws IOException {
      if (channel == null) {
        channel = LockFile.open(file);
        shared = channel.lock(0, Long.MAX_VALUE, true);
      }
      count++;
    }

    /** Returns true if no user is left, in this or another process. */
    boolean leave() throws IOException {
      count--;
      if (count > 0 || channel == null || shared == null) {
        return false;
      }
      try (FileChannel open = channel) {
        shared.release();
        return open.tryLock() != null;
      } finally {
        channel = null;
        shared = null;
      }
    }
  }
}
