package io.pgtoaster.it.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The distribution's PgBouncer in transaction mode in front of a server under test. In each
 * transaction, a client's connection uses any free connection to the server, so it cannot rely on
 * session state. There is one PgBouncer per server; it ends with the JVM.
 */
final class PgBouncer {
  private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
  private static final Map<Integer, PgBouncer> BEFORE = new TreeMap<>();

  private final int port;
  private final Path directory;
  private final Process process;

  private PgBouncer(Server server) throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = free.getLocalPort();
    }
    this.directory = Files.createTempDirectory("pgtoaster-pgbouncer-");
    Path users = directory.resolve("users");
    Path settings = directory.resolve("pgbouncer.ini");
    String password = server.postgres().password();
    Files.writeString(
        users, "\"%s\" \"%s\"\n".formatted(server.user(), password == null ? "" : password));
    Files.writeString(settings, settings(server.port(), users));
    List<String> command = new ArrayList<>();
    // PgBouncer refuses to run as root.
    if (Files.getOwner(directory).getName().equals("root")) {
      run("chown", "-R", "nobody:nogroup", directory.toString());
      command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
    }
    command.addAll(List.of(PROGRAM.toString(), settings.toString()));
    this.process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(this::end));
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  /** Returns the PgBouncer of a shared server, and starts it on first use. */
  static synchronized PgBouncer before(Server server) {
    return BEFORE.computeIfAbsent(
        server.version(),
        v -> {
          try {
            PgBouncer started = new PgBouncer(server);
            started.awaitReady(server);
            return started;
          } catch (IOException e) {
            throw new AssertionError("cannot start " + PROGRAM, e);
          }
        });
  }

  /** Unpooled connections to it, without prepared statements, as its manual recommends. */
  DataSource dataSource(Server server, String database) {
    PGSimpleDataSource source = server.dataSource(database, server.user(), port);
    source.setPrepareThreshold(0);
    return source;
  }

  /** Server connections change each time (round robin), so that reliance on session state fails. */
  private String settings(int server, Path users) {
    return """
    [databases]
    * = host=127.0.0.1 port=%d
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = %d
    unix_socket_dir =
    auth_type = trust
    auth_file = %s
    logfile = %s
    pool_mode = transaction
    server_round_robin = 1
    default_pool_size = 60
    max_client_conn = 1000
    server_idle_timeout = 5
    ignore_startup_parameters = extra_float_digits
    """
        .formatted(server, port, users, directory.resolve("log"));
  }

  private void awaitReady(Server server) {
    Wait.until(
        this + " takes connections",
        () -> {
          try (Connection c = dataSource(server, "postgres").getConnection()) {
            return Sql.string(c, "SELECT 1").equals("1");
          } catch (SQLException e) {
            if (!process.isAlive()) {
              throw new AssertionError(this + " ended: " + told(), e);
            }
            return false;
          }
        });
  }

  private String told() {
    try {
      return Files.readString(directory.resolve("log"), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "there is no log: " + e;
    }
  }

  private void end() {
    process.destroy();
    for (String file : List.of("users", "pgbouncer.ini", "log", "")) {
      directory.resolve(file).toFile().delete();
    }
  }

  private static void run(String... command) throws IOException {
    try {
      if (new ProcessBuilder(command).start().waitFor() != 0) {
        throw new IOException(String.join(" ", command));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public String toString() {
    return "PgBouncer at port " + port;
  }
}
