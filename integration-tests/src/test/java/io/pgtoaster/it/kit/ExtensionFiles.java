package io.pgtoaster.it.kit;

import io.pgtoaster.embedded.PostgresBinaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The C extension's files for one PostgreSQL version, as built by {@code extension/versions}. */
final class ExtensionFiles {
  /** Programs that find each other and shared files relative to their real path. */
  private static final Set<String> SERVER_PROGRAMS = Set.of("initdb", "pg_ctl", "postgres");

  private final Path directory;

  ExtensionFiles(int version) {
    this.directory =
        Path.of(System.getProperty("pgtoaster.extension.dir"), Integer.toString(version));
  }

  boolean exist() {
    return Files.exists(directory.resolve("pgtoaster.so"));
  }

  /** The server from the build, for a version that Maven Central does not have. */
  Path server() {
    return directory.resolve("postgres.jar");
  }

  /** Adds the files to an unpacked archive. */
  PostgresBinaries addTo(PostgresBinaries unpacked) {
    Path home = unpacked.home();
    copy(home.resolve("lib/postgresql"), home.resolve("share/postgresql/extension"));
    return unpacked;
  }

  /**
   * Creates a home with the files next to an installed distribution, which must not be changed. All
   * files except the server's programs are links.
   *
   * @param home such as {@code /usr/lib/postgresql/15}
   * @param share such as {@code /usr/share/postgresql/15}
   * @param root a directory that takes the role of {@code /usr} until this JVM ends
   */
  PostgresBinaries overlay(Path home, Path share, Path root) {
    try {
      delete(root);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteQuietly(root)));
      Path usr = Path.of("/usr");
      Path newHome = root.resolve(usr.relativize(home));
      Path newShare = root.resolve(usr.relativize(share));
      link(home.resolve("bin"), newHome.resolve("bin"), SERVER_PROGRAMS);
      for (String program : SERVER_PROGRAMS) {
        Files.copy(home.resolve("bin").resolve(program), newHome.resolve("bin").resolve(program));
      }
      link(home.resolve("lib"), newHome.resolve("lib"), Set.of());
      link(share, newShare, Set.of("extension"));
      link(share.resolve("extension"), newShare.resolve("extension"), Set.of());
      copy(newHome.resolve("lib"), newShare.resolve("extension"));
      return PostgresBinaries.fromDirectory(newHome);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a home in " + root, e);
    }
  }

  private void copy(Path libraries, Path extensions) {
    try {
      for (Path file : list(directory)) {
        String name = file.getFileName().toString();
        if (name.endsWith(".so")) {
          replace(file, libraries.resolve(name));
        } else if (name.endsWith(".control") || name.endsWith(".sql")) {
          replace(file, extensions.resolve(name));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy the extension in " + directory, e);
    }
  }

  /**
   * Replaces the file in one step, because a server of another build or fork may have the old one
   * mapped.
   */
  private static void replace(Path from, Path to) throws IOException {
    Path next = to.resolveSibling(to.getFileName() + "." + ProcessHandle.current().pid());
    Files.copy(from, next, StandardCopyOption.REPLACE_EXISTING);
    Files.move(next, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void link(Path from, Path to, Set<String> except) throws IOException {
    Files.createDirectories(to);
    for (Path file : list(from)) {
      if (!except.contains(file.getFileName().toString())) {
        Files.createSymbolicLink(to.resolve(file.getFileName()), file);
      }
    }
  }

  private static void deleteQuietly(Path tree) {
    try {
      delete(tree);
    } catch (IOException e) {
      // A server that is stopping may still use it; "mvn clean" deletes it.
    }
  }

  private static void delete(Path tree) throws IOException {
    if (Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
      for (Path file : list(tree)) {
        delete(file);
      }
    }
    Files.deleteIfExists(tree);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
