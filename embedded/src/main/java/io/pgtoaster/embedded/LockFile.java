package io.pgtoaster.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Exclusive file locks against other processes and other threads. The kernel releases the locks
 * when the process dies.
 *
 * <p>The lock between threads is necessary, because a POSIX process loses its lock on a file as
 * soon as it closes any of its descriptors of that file.
 */
final class LockFile {
  private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

  private LockFile() {}

  interface Action {
    void run() throws IOException;
  }

  /**
   * Waits for the lock, then runs an action. The file and its directory are created if missing, and
   * are not deleted.
   */
  static void holding(Path file, Action action) throws IOException {
    ReentrantLock threads =
        THREADS.computeIfAbsent(file.toAbsolutePath().normalize(), path -> new ReentrantLock());
    threads.lock();
    try (FileChannel channel = open(file)) {
      channel.lock();
      action.run();
    } finally {
      threads.unlock();
    }
  }

  /** Opens the file with access for its owner only, because anyone who can open it can lock it. */
  static FileChannel open(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent(), FileTree.attributes("rwxr-xr-x"));
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
        FileTree.attributes("rw-------"));
  }
}
