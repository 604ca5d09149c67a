package io.pgtoaster.cli.connect;

import io.pgtoaster.PgToaster;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.embedded.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database that a command works on: the user's, or the embedded server. The embedded server
 * starts when the database is opened and stops when its last user closes it.
 */
public final class Database implements AutoCloseable {
  private static final String EMBEDDED_DATABASE = "postgres";

  /**
   * A strong reference, so that the logger stays silent: the driver's warnings repeat parts of
   * URLs.
   */
  private static final Logger DRIVER = Logger.getLogger("org.postgresql");

  static {
    DRIVER.setLevel(Level.OFF);
  }

  private final ConnectionCache connections;
  private final Target target;
  private final @Nullable SharedServer server;
  private final boolean extension;

  private Database(Target target, @Nullable SharedServer server, boolean extension) {
    try {
      this.connections = new ConnectionCache(target);
    } catch (SQLException | IllegalArgumentException e) {
      throw new Failure(ExitCode.USAGE, "the driver does not accept the URL: " + e.getMessage(), e);
    }
    this.target = target;
    this.server = server;
    this.extension = extension;
  }

  /**
   * Opens a database.
   *
   * @param url URL that the user gave, or null to use the environment, else the embedded server
   * @param embedded whether to use the embedded server regardless of the environment
   * @param extension whether to use the server extension if it is installed
   * @param env environment variables
   * @param notice receives a line for the user if something takes a long time
   * @return the database; no connection is opened yet
   */
  public static Database open(
      @Nullable String url,
      boolean embedded,
      boolean extension,
      Map<String, String> env,
      Consumer<String> notice) {
    Optional<Target> target =
        embedded
            ? Optional.empty()
            : url == null
                ? PgEnvironment.target(env)
                : Optional.of(PgEnvironment.withCredentials(Target.parse(url), env));
    if (url != null && !embedded && Target.parse(url).properties().containsKey("password")) {
      notice.accept(
          "other users of this machine can read the password of --url in the list of processes;"
              + " PGPASSWORD, PGTOASTER_URL or ~/.pgpass keep it private");
    }
    return target
        .map(t -> new Database(t, null, extension))
        .orElseGet(() -> startEmbedded(extension, notice));
  }

  private static Database startEmbedded(boolean extension, Consumer<String> notice) {
    Path home = Home.dataDirectory();
    if (!Files.exists(home.resolve("data"))) {
      notice.accept("setting up a PostgreSQL server in " + home + " (only once)");
    }
    SharedServer server =
        SharedServer.open(PostgresBinaries.fromClasspath(Home.cacheDirectory()), home);
    return new Database(targetOf(server, EMBEDDED_DATABASE), server, extension);
  }

  private static Target targetOf(SharedServer server, String database) {
    Map<String, String> properties = new HashMap<>(Map.of("user", server.user()));
    @Nullable String password = server.password();
    if (password != null) {
      properties.put("password", password);
    }
    return new Target(server.jdbcUrl(database), properties);
  }

  /** Returns another database of the embedded server. Close it before this one. */
  public Database sibling(String name) {
    if (server == null) {
      throw new IllegalStateException("only the embedded server's databases are known");
    }
    return new Database(targetOf(server, name), null, extension);
  }

  /** Returns whether this is the embedded server, not the user's own database. */
  public boolean isEmbedded() {
    return server != null;
  }

  /** Returns the entry point to the columns. Each of its calls runs in a separate transaction. */
  public PgToaster pgToaster() {
    PgToaster pgToaster = PgToaster.create(connections);
    return extension ? pgToaster : pgToaster.withoutExtension();
  }

  /** Returns a source that caches connections. */
  public DataSource dataSource() {
    return connections;
  }

  /** Returns the directory with the embedded server's data, or null for the user's own server. */
  public @Nullable Path directory() {
    return server == null ? null : server.logFile().toAbsolutePath().getParent();
  }

  @Override
  public void close() {
    connections.close();
    if (server != null) {
      server.close();
    }
  }

  @Override
  public String toString() {
    int query = target.url().indexOf('?');
    String place = query < 0 ? target.url() : target.url().substring(0, query);
    return server == null ? place : "the embedded server";
  }
}
