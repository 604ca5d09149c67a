package io.pgtoaster.benchmarks.server.own;

import io.pgtoaster.embedded.PostgresBinaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The extension's files for one PostgreSQL version, built by {@code extension/versions}.
 *
 * @param directory directory that contains them
 */
record ExtensionFiles(Path directory) {
  /** Programs that find other files relative to their real path, so a link does not work. */
  private static final Set<String> SERVER_PROGRAMS = Set.of("initdb", "pg_ctl", "postgres");

  boolean exist() {
    return Files.exists(directory.resolve("pgtoaster.so"));
  }

  /** Copies the files into an unpacked archive. */
  PostgresBinaries addTo(PostgresBinaries unpacked) throws IOException {
    Path home = unpacked.home();
    copy(home.resolve("lib/postgresql"), home.resolve("share/postgresql/extension"));
    return unpacked;
  }

  /**
   * Imitates the directories of a distribution below a new root, because we must not write to them.
   */
  PostgresBinaries overlay(Path home, Path root) throws IOException {
    Path usr = home.getRoot().resolve("usr");
    Path share = usr.resolve("share/postgresql").resolve(home.getFileName());
    Path newHome = root.resolve(usr.relativize(home));
    Path newShare = root.resolve(usr.relativize(share));
    link(home.resolve("bin"), newHome.resolve("bin"), SERVER_PROGRAMS);
    for (String program : SERVER_PROGRAMS) {
      Path copy = newHome.resolve("bin").resolve(program);
      Files.copy(home.resolve("bin").resolve(program), copy, StandardCopyOption.REPLACE_EXISTING);
    }
    link(home.resolve("lib"), newHome.resolve("lib"), Set.of());
    link(share, newShare, Set.of("extension"));
    link(share.resolve("extension"), newShare.resolve("extension"), Set.of());
    copy(newHome.resolve("lib"), newShare.resolve("extension"));
    return PostgresBinaries.fromDirectory(newHome);
  }

  private void copy(Path libraries, Path extensions) throws IOException {
    for (Path file : list(directory)) {
      String name = file.getFileName().toString();
      if (name.startsWith("pgtoaster.") || name.startsWith("pgtoaster--")) {
        replace(file, (name.endsWith(".so") ? libraries : extensions).resolve(name));
      }
    }
  }

  /** Replaces a file atomically: a running server may have the old one mapped. */
  private static void replace(Path from, Path to) throws IOException {
    Path next = to.resolveSibling(to.getFileName() + "." + ProcessHandle.current().pid());
    Files.copy(from, next, StandardCopyOption.REPLACE_EXISTING);
    Files.move(next, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void link(Path from, Path to, Set<String> except) throws IOException {
    Files.createDirectories(to);
    for (Path file : list(from)) {
      Path link = to.resolve(file.getFileName());
      if (!except.contains(file.getFileName().toString())) {
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, file);
      }
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
