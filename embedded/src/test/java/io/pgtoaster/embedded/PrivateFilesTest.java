package io.pgtoaster.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files and directories are never readable by other users of the machine, even briefly. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class PrivateFilesTest {
  private static final int TIMES = 200;

  @TempDir Path temp;

  private interface Work {
    void run() throws IOException;
  }

  /** Returns all permissions that a file had during some work. */
  private static Set<PosixFilePermission> seen(Path file, Work work) throws IOException {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Set<PosixFilePermission>> watcher =
        CompletableFuture.supplyAsync(
            () -> {
              Set<PosixFilePermission> all = EnumSet.noneOf(PosixFilePermission.class);
              while (!done.get()) {
                try {
                  all.addAll(Files.getPosixFilePermissions(file));
                } catch (NoSuchFileException e) {
                  Thread.onSpinWait(); // The file is being created again.
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
              return all;
            });
    try {
      for (int i = 0; i < TIMES; i++) {
        work.run();
      }
    } finally {
      done.set(true);
    }
    return watcher.join();
  }

  @Test
  void passwordFile_isNeverReadableByOthers() throws IOException {
    Path file = temp.resolve("data.password");
    assertThat(seen(file, () -> DataDirectory.replacePrivate(file, "secret")))
        .isSubsetOf(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  }

  @Test
  void directory_isNeverOpenToOthers() throws IOException {
    Path directory = temp.resolve("data");
    assertThat(
            seen(
                directory,
                () -> {
                  FileTree.create(directory, "rwx------");
                  Files.delete(directory);
                }))
        .isSubsetOf(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE);
  }

  @Test
  void lockFile_cannotBeLockedByOthers() throws IOException {
    Path file = temp.resolve("start.lock");
    LockFile.holding(file, () -> assertThat(Files.getPosixFilePermissions(file)).hasSize(2));
  }
}
