package io.pgtoaster.embedded;

import java.nio.file.Path;
import java.util.Map;

/**
 * Locations of pgtoaster's files on this machine. {@code PGTOASTER_HOME} takes precedence.
 * Otherwise data goes to {@code XDG_DATA_HOME} and the cache to {@code XDG_CACHE_HOME}, or to their
 * default locations in the user's home. If root must run its server as {@code nobody}, these are
 * {@code /var/lib/pgtoaster} and {@code /var/cache/pgtoaster}, because {@code nobody} cannot enter
 * {@code /root}.
 */
public final class Home {
  private Home() {}

  /** Returns the directory of the command line's server. It may not exist yet. */
  public static Path dataDirectory() {
    return data(System.getenv(), ServerUser.current());
  }

  /** Returns the directory of unpacked servers and templates. It can be deleted at any time. */
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

  /** Returns an XDG directory. The XDG specification requires relative paths to be ignored. */
  private static Path xdg(String directory, String belowUserHome) {
    boolean usable = !directory.isEmpty() && Path.of(directory).isAbsolute();
    Path base =
        usable ? Path.of(directory) : Path.of(System.getProperty("user.home"), belowUserHome);
    return base.resolve("pgtoaster");
  }
}
