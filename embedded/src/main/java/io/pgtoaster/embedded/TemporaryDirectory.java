package io.pgtoaster.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The directory of a temporary server: {@code <parent>/pgtoaster-<user>/<pid>-<random>}. A lock
 * lasts as long as its owner, the JVM. Creating a directory also stops the servers and deletes the
 * directories of owners that have died.
 */
final class TemporaryDirectory implements AutoCloseable {
  private static final String LOCK = "owner.lock";
  private static final Duration YOUNG = Duration.ofMinutes(1);

  private final Path path;
  private final FileChannel owner;

  private TemporaryDirectory(Path path, FileChannel owner) {
    this.path = path;
    this.owner = owner;
  }

  static TemporaryDirectory create(Path parent, PostgresBinaries binaries) throws IOException {
    Path root = root(parent);
    removeOrphans(root, binaries);
    Path path = Files.createTempDirectory(root, ProcessHandle.current().pid() + "-");
    FileTree.mode(path, ServerUser.current().directoryMode());
    FileChannel owner = LockFile.open(path.resolve(LOCK));
    owner.lock();
    return new TemporaryDirectory(path, owner);
  }

  private static Path root(Path parent) throws IOException {
    String user = System.getProperty("user.name");
    Path root = parent.resolve("pgtoaster-" + user).toAbsolutePath();
    FileTree.create(root, ServerUser.current().directoryMode());
    if (FileTree.POSIX && !Files.getOwner(root, LinkOption.NOFOLLOW_LINKS).getName().equals(user)) {
      throw new EmbeddedPostgresException(
          root + " belongs to another user; choose another directory for temporary servers");
    }
    return root;
  }

  Path path() {
    return path;
  }

  /** Deletes the directory. The server in it must have stopped. */
  @Override
  public void close() throws IOException {
    try {
      FileTree.delete(path);
    } finally {
      owner.close();
    }
  }

  /**
   * Removes directories whose owner has died. Never opens a lock of this process, because closing
   * the file would release the lock.
   */
  private static void removeOrphans(Path root, PostgresBinaries binaries) throws IOException {
    String own = ProcessHandle.current().pid() + "-";
    List<Path> others;
    try (var files = Files.list(root)) {
      others = files.filter(path -> !path.getFileName().toString().startsWith(own)).toList();
    }
    for (Path other : others) {
      try {
        removeOrphan(other, binaries);
      } catch (IOException | EmbeddedPostgresException e) {
        // The next start will try again.
      }
    }
  }

  private static void removeOrphan(Path directory, PostgresBinaries binaries) throws IOException {
    Instant changed = Files.getLastModifiedTime(directory).toInstant();
    if (!Files.exists(directory.resolve(LOCK)) && changed.isAfter(Instant.now().minus(YOUNG))) {
      return; // still being created
    }
    try (FileChannel channel = LockFile.open(directory.resolve(LOCK));
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return;
      }
      Path data = directory.resolve("data");
      if (Postmaster.of(data).isPresent()) {
        Command.run(
            data,
            Map.of(),
            binaries.command("pg_ctl", List.of("stop", "-D", ".", "-m", "immediate", "-w")));
      }
      FileTree.delete(directory);
    }
  }
}
