package io.pgtoaster.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes whole directories private, copies and deletes them, and creates files that are private from
 * the start.
 */
final class FileTree {
  static final boolean POSIX = File.separatorChar == '/';

  private FileTree() {}

  /**
   * Creates a directory and its parents. New directories never have more permissions than the given
   * mode.
   */
  static void create(Path directory, String mode) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, attributes(mode));
      mode(directory, mode); // restores what the umask removed
    }
  }

  /**
   * Creates and opens a file that must not exist yet. It never has more permissions than the given
   * mode.
   */
  static SeekableByteChannel newFile(Path file, String mode, OpenOption... more)
      throws IOException {
    Set<OpenOption> options = new HashSet<>(List.of(more));
    options.addAll(List.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    return Files.newByteChannel(file, options, attributes(mode));
  }

  /**
   * Returns the attribute that sets the mode at creation. If the mode were set later, others would
   * have access for a moment.
   */
  static FileAttribute<?>[] attributes(String mode) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }

  static void mode(Path file, String mode) throws IOException {
    if (POSIX) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }
  }

  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            return copyOne(directory);
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            return copyOne(file);
          }

          private FileVisitResult copyOne(Path path) throws IOException {
            Files.copy(
                path,
                to.resolve(from.relativize(path)),
                StandardCopyOption.COPY_ATTRIBUTES,
                LinkOption.NOFOLLOW_LINKS);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Deletes a tree. Files that do not exist, or are deleted meanwhile, are not an error. */
  static void delete(Path tree) throws IOException {
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            if (e != null && !(e instanceof NoSuchFileException)) {
              throw e;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
