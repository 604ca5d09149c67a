package io.pgtoaster.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The files of one server: made once by initdb, given their settings before every start.
 *
 * <p>The tools get the directory as their working directory and "." as its name: pg_ctl pastes
 * names into shell commands, and a name may hold quotes.
 */
final class DataDirectory {
  static final String USER = "postgres";
  private static final String SETTINGS_FILE = "pgtoaster.conf";
  private static final String INCLUDE = "include_if_exists '" + SETTINGS_FILE + "'";

  private final Path path;
  private final PostgresBinaries binaries;

  DataDirectory(Path path, PostgresBinaries binaries) {
    this.path = path.toAbsolutePath().normalize();
    this.binaries = binaries;
  }

  Path path() {
    return path;
  }

  Path parent() {
    return Objects.requireNonNull(path.getParent(), "data directory at the root");
  }

  private Path beside(String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  /** Makes the directory unless it is there; either whole or not at all. */
  void initialise(boolean withPassword) throws IOException {
    FileTree.create(parent(), ServerUser.current().directoryMode());
    if (isInitialised()) {
      requireSameVersion();
      return;
    }
    LockFile.holding(beside(".lock"), () -> make(withPassword));
  }

  private void make(boolean withPassword) throws IOException {
    if (isInitialised()) {
      return;
    }
    requireEmpty();
    Path staging = beside(".initdb");
    FileTree.delete(staging);
    if (withPassword) {
      initdb(binaries, staging, newPassword());
      sync(binaries, staging);
    } else {
      FileTree.copy(template(binaries), staging);
      ServerUser.current().own(staging);
    }
    Files.deleteIfExists(path);
    Files.move(staging, path, StandardCopyOption.ATOMIC_MOVE);
  }

  private boolean isInitialised() {
    return Files.exists(path.resolve("PG_VERSION"));
  }

  private void requireEmpty() throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      try (var files = Files.list(path)) {
        if (files.findAny().isPresent()) {
          throw new EmbeddedPostgresException(
              path + " is neither empty nor the data directory of a PostgreSQL server");
        }
      }
    }
  }

  private void requireSameVersion() throws IOException {
    String made = Files.readString(path.resolve("PG_VERSION")).strip();
    if (!made.equals(Integer.toString(binaries.majorVersion()))) {
      throw new EmbeddedPostgresException(
          String.format(
              "The data in %s was made by PostgreSQL %s, but %s is version %d. Use PostgreSQL %2$s"
                  + " again, or save the data with pg_dumpall of version %2$s, move the directory"
                  + " away and load the dump into a new one.",
              path, made, binaries.home(), binaries.majorVersion()));
    }
  }

  /** Returns the password of the superuser, or null where none is asked for. */
  @Nullable String password() throws IOException {
    Path file = beside(".password");
    return Files.exists(file) ? Files.readString(file).strip() : null;
  }

  private String newPassword() throws IOException {
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    Path file = beside(".password");
    Files.deleteIfExists(file);
    writePrivate(file, password + "\n");
    return password;
  }

  /** The file is private before it has content. */
  private static void writePrivate(Path file, String content) throws IOException {
    Files.createFile(file);
    FileTree.mode(file, "rw-------");
    try (var channel =
        Files.newByteChannel(file, StandardOpenOption.WRITE, StandardOpenOption.SYNC)) {
      channel.write(StandardCharsets.UTF_8.encode(content));
    }
  }

  /** Returns a directory without password, made once per server build, to be copied. */
  private static Path template(PostgresBinaries binaries) throws IOException {
    String build = binaries.version() + "@" + binaries.home() + "@" + ServerUser.current();
    String name =
        binaries.majorVersion()
            + "-"
            + UUID.nameUUIDFromBytes(build.getBytes(StandardCharsets.UTF_8));
    Path templates = binaries.cacheDirectory().resolve("templates");
    Path template = templates.resolve(name);
    if (Files.exists(template)) {
      return template;
    }
    LockFile.holding(
        templates.resolve(name + ".lock"),
        () -> {
          if (!Files.exists(template)) {
            Path staging = templates.resolve(name + ".initdb");
            initdb(binaries, staging, null);
            sync(binaries, staging);
            Files.move(staging, template, StandardCopyOption.ATOMIC_MOVE);
          }
        });
    return template;
  }

  private static void initdb(PostgresBinaries binaries, Path directory, @Nullable String password)
      throws IOException {
    Command.Result result = null;
    for (List<String> locale : locales(binaries.majorVersion())) {
      FileTree.delete(directory);
      FileTree.create(directory, "rwx------");
      ServerUser.current().own(directory);
      result = initdb(binaries, directory, locale, password);
      if (result.succeeded() || !result.errors().contains("locale")) {
        break;
      }
    }
    if (result != null) {
      result.orThrow("cannot make the data directory " + directory);
    }
  }

  private static Command.Result initdb(
      PostgresBinaries binaries, Path directory, List<String> locale, @Nullable String password)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-D", ".", "-U", USER, "-E", "UTF8", "-N"));
    arguments.addAll(locale);
    if (password == null) {
      arguments.addAll(List.of("-A", "trust"));
      return Command.run(directory, Map.of(), binaries.command("initdb", arguments));
    }
    Path file = directory.resolveSibling(directory.getFileName() + ".pw");
    Files.deleteIfExists(file);
    try {
      writePrivate(file, password);
      ServerUser.current().own(file);
      arguments.addAll(List.of("-A", "scram-sha-256", "--pwfile", file.toString()));
      return Command.run(directory, Map.of(), binaries.command("initdb", arguments));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Code-point order and Unicode letters, from the server itself where it can. */
  private static List<List<String>> locales(int majorVersion) {
    List<String> unicode =
        majorVersion >= 17
            ? List.of("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
            : List.of("--locale=C.UTF-8");
    return List.of(unicode, List.of("--locale=C"));
  }

  private static void sync(PostgresBinaries binaries, Path directory) {
    Command.run(directory, Map.of(), binaries.command("initdb", List.of("-S", "-D", ".")))
        .orThrow("cannot sync " + directory);
  }

  /** Writes the settings of the next start; what ALTER SYSTEM has set comes after them. */
  void configure(Map<String, String> settings) throws IOException {
    StringBuilder text = new StringBuilder("# Written by pgtoaster before every start.\n");
    settings.forEach((name, value) -> text.append(setting(name, value)));
    Files.writeString(path.resolve(SETTINGS_FILE), text);
    Path main = path.resolve("postgresql.conf");
    byte[] before = Files.readAllBytes(main);
    if (!new String(before, StandardCharsets.ISO_8859_1).contains(INCLUDE)) {
      Files.writeString(main, "\n" + INCLUDE + "\n", StandardOpenOption.APPEND);
    }
    ServerUser.current().own(path);
  }

  private static String setting(String name, String value) {
    if (!name.matches("[A-Za-z_][A-Za-z0-9_.]*")) {
      throw new EmbeddedPostgresException("not the name of a setting: " + name);
    }
    String escaped = value.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n");
    return name + " = '" + escaped + "'\n";
  }
}
