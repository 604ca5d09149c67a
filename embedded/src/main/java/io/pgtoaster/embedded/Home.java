package io.pgtoaster.embedded;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where pgtoaster keeps its files on this machine. {@code PGTOASTER_HOME} decides when it is set;
 * otherwise data goes to {@code XDG_DATA_HOME} and the cache to {@code XDG_CACHE_HOME}, or to their
 * usual places below the user's home. Root whose server must run as {@code nobody} gets {@code
 * /var/lib/pgtoaster} and {@code /var/cache/pgtoaster}, because {@code nobody} cannot enter {@code
 * /root}.
 */
public final class Home {
  private Home() {}

  /** Returns the directory of the command line's server; it need not exist yet. */
  public static Path dataDirectory() {
    return data(System.getenv(), ServerUser.current());
  }

  /** Returns the directory of unpacked servers and templates; it may be deleted at any time. */
  public static Path cacheDirectory() {
    return cache(System.getenv(), ServerUser.current());
  }

  static Path data(Map<String, String> env, ServerUser user) {
    String home = env.getOrDefault("PGTOASTER_HOME", "");
    if (!home.isEmpty()) {
      return Path.of(home).toAbsolutePath();
    }
    return user == ServerUser.NOBODY
        ? Path.of("/var/lib/pgtoaster")
        : xdg(env.getOrDefault("XDG_DATA_HOME", ""), ".local/share");
  }

  static Path cache(Map<String, String> env, ServerUser user) {
    String home = env.getOrDefault("PGTOASTER_HOME", "");
    if (!home.isEmpty()) {
      return Path.of(home).toAbsolutePath().resolve("cache");
    }
    return user == ServerUser.NOBODY
        ? Path.of("/var/cache/pgtoaster")
        : xdg(env.getOrDefault("XDG_CACHE_HOME", ""), ".cache");
  }

  /** The XDG specification says that a relative path is to be ignored. */
  private static Path xdg(String directory, String belowUserHome) {
    boolean usable = !directory.isEmpty() && Path.of(directory).isAbsolute();
    Path base =
        usable ? Path.of(directory) : Path.of(System.getProperty("user.home"), belowUserHome);
    return base.resolve("pgtoaster");
  }
}
