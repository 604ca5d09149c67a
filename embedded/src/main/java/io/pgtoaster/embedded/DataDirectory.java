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
 * The files of one server: created once by initdb, configured before every start.
 *
 * <p>Tools run in the directory and get "." as its name: pg_ctl pastes names into shell commands,
 * and a name may contain quotes.
 */
final class DataDirectory {
  static final String USER = "postgres";
  private static final String PASSWORD = ".password";
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

  /** Creates the directory if it is missing. An interrupted attempt leaves no partial directory. */
  void initialise(boolean fromTemplate) throws IOException {
    FileTree.create(parent(), ServerUser.current().directoryMode());
    if (isInitialised()) {
      requireSameVersion();
      return;
    }
    LockFile.holding(beside(".lock"), () -> make(fromTemplate));
  }

  private void make(boolean fromTemplate) throws IOException {
    if (isInitialised()) {
      return;
    }
    requireEmpty();
    Path staging = beside(".initdb");
    FileTree.delete(staging);
    if (fromTemplate) {
      Path template = template(binaries);
      FileTree.copy(template, staging);
      ServerUser.current().own(staging);
      replacePrivate(beside(PASSWORD), Files.readString(passwordOf(template)));
    } else {
      String password = newPassword();
      replacePrivate(beside(PASSWORD), password + "\n");
      initdb(binaries, staging, password);
      sync(binaries, staging);
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
              "The data in %s was created by PostgreSQL %s, but %s is version %d. Use PostgreSQL"
                  + " %2$s again, or save the data with pg_dumpall of version %2$s, move the"
                  + " directory away and load the dump into a new one.",
              path, made, binaries.home(), binaries.majorVersion()));
    }
  }

  /** Returns the password of the superuser, or null if none is required. */
  @Nullable String password() throws IOException {
    Path file = beside(PASSWORD);
    return Files.exists(file) ? Files.readString(file).strip() : null;
  }

  private static String newPassword() {
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /**
   * Replaces a file. It is private from the start, because a process that opens it early could read
   * what is written later.
   */
  static void replacePrivate(Path file, String content) throws IOException {
    Files.deleteIfExists(file);
    try (var channel = FileTree.newFile(file, "rw-------", StandardOpenOption.SYNC)) {
      channel.write(StandardCharsets.UTF_8.encode(content));
    }
  }

  private static Path passwordOf(Path template) {
    return template.resolveSibling(template.getFileName() + PASSWORD);
  }

  /**
   * Returns a directory to copy, created once per server build, because {@code initdb} takes a
   * second. Its password is stored next to it, readable by this user only. Copies have the same
   * password: changing it would take another run of the server.
   */
  private static Path template(PostgresBinaries binaries) throws IOException {
    // The name contains "scram", because templates of earlier versions required no password.
    String build =
        "scram@" + binaries.version() + "@" + binaries.home() + "@" + ServerUser.current();
    String name =
        binaries.majorVersion()
            + "-"
            + UUID.nameUUIDFromBytes(build.getBytes(StandardCharsets.UTF_8));
    Path templates = binaries.cacheDirectory().resolve("templates");
    Path template = templates.resolve(name);
    if (isWhole(template)) {
      return template;
    }
    LockFile.holding(
        templates.resolve(name + ".lock"),
        () -> {
          if (!isWhole(template)) {
            FileTree.delete(template);
            Path staging = templates.resolve(name + ".initdb");
            String password = newPassword();
            replacePrivate(passwordOf(template), password + "\n");
            initdb(binaries, staging, password);
            sync(binaries, staging);
            Files.move(staging, template, StandardCopyOption.ATOMIC_MOVE);
          }
        });
    return template;
  }

  private static boolean isWhole(Path template) {
    return Files.exists(template) && Files.exists(passwordOf(template));
  }

  private static void initdb(PostgresBinaries binaries, Path directory, String password)
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
      result.orThrow("cannot create the data directory " + directory);
    }
  }

  private static Command.Result initdb(
      PostgresBinaries binaries, Path directory, List<String> locale, String password)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-D", ".", "-U", USER, "-E", "UTF8", "-N"));
    arguments.addAll(locale);
    Path file = directory.resolveSibling(directory.getFileName() + ".pw");
    try {
      replacePrivate(file, password);
      ServerUser.current().own(file);
      arguments.addAll(List.of("-A", "scram-sha-256", "--pwfile", file.toString()));
      return Command.run(directory, Map.of(), binaries.command("initdb", arguments));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /**
   * Returns options for code-point order and Unicode letters, built into the server if it supports
   * that.
   */
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

  /** Writes the settings for the next start. Settings from ALTER SYSTEM take precedence. */
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
