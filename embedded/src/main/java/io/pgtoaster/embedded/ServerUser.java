package io.pgtoaster.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The user identity of server programs. PostgreSQL refuses to run as root. Root therefore either
 * enters a user namespace, in which it has no privileges but still owns its files, or changes to
 * the user {@code nobody}, who must then own the data directory. The system property {@code
 * pgtoaster.serverUser} (self, namespace, nobody) overrides the choice.
 */
enum ServerUser {
  SELF,
  NAMESPACE,
  NOBODY;

  static ServerUser current() {
    return Holder.CURRENT;
  }

  List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(prefix());
    all.addAll(command);
    return all;
  }

  private List<String> prefix() {
    return switch (this) {
      case SELF -> List.of();
      case NAMESPACE -> List.of("unshare", "-U");
      case NOBODY ->
          List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--");
    };
  }

  /**
   * Returns the mode of a directory around a data directory: private, but the server can traverse
   * it.
   */
  String directoryMode() {
    return this == NOBODY ? "rwx--x--x" : "rwx------";
  }

  /** Changes the owner of a directory tree to the server's user, if that is another user. */
  void own(Path tree) {
    try {
      if (this != NOBODY
          || Files.getOwner(tree, LinkOption.NOFOLLOW_LINKS).getName().equals("nobody")) {
        return;
      }
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot read the owner of " + tree, e);
    }
    Command.run(List.of("chown", "-R", "nobody:nogroup", "--", tree.toString()))
        .orThrow("cannot change the owner of " + tree + " to nobody");
  }

  /**
   * Checks that the server can enter a directory, because the mode of a parent directory may
   * prevent this.
   */
  void requireReachable(Path directory) {
    if (this == NOBODY
        && !Command.run(command(List.of("test", "-x", directory.toString()))).succeeded()) {
      throw new EmbeddedPostgresException(
          "PostgreSQL refuses to run as root, and the user nobody cannot enter "
              + directory
              + ". Choose a directory that everybody may enter, for instance with PGTOASTER_HOME.");
    }
  }

  private static ServerUser choose() {
    String forced = System.getProperty("pgtoaster.serverUser", "");
    if (!forced.isEmpty()) {
      return valueOf(forced.toUpperCase(Locale.ROOT));
    }
    if (File.separatorChar == '\\' || !prints("0", "id", "-u")) {
      return SELF;
    }
    return prints("nobody", "unshare", "-U", "id", "-un") ? NAMESPACE : NOBODY;
  }

  private static boolean prints(String expected, String... command) {
    try {
      Command.Result result = Command.run(List.of(command));
      return result.succeeded() && result.output().strip().equals(expected);
    } catch (EmbeddedPostgresException noSuchProgram) {
      return false;
    }
  }

  private static final class Holder {
    static final ServerUser CURRENT = choose();
  }
}
