package io.pgtoaster.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Damaged or malicious archives of servers. */
class BinariesArchiveTest {
  @TempDir Path temp;

  /** An archive of a server that consists of one word. */
  private static final class Archive implements AutoCloseable {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TarArchiveOutputStream tar;

    Archive(String word) throws IOException {
      tar = new TarArchiveOutputStream(new XZOutputStream(bytes, new LZMA2Options(0)));
      file("bin/postgres", word);
      file("share/postgres.bki", word);
    }

    Archive file(String name, String content) throws IOException {
      byte[] text = content.getBytes(UTF_8);
      TarArchiveEntry entry = new TarArchiveEntry(name, true);
      entry.setSize(text.length);
      tar.putArchiveEntry(entry);
      tar.write(text);
      tar.closeArchiveEntry();
      return this;
    }

    Archive link(String name, String target, byte kind) throws IOException {
      TarArchiveEntry entry = new TarArchiveEntry(name, kind);
      entry.setLinkName(target);
      tar.putArchiveEntry(entry);
      tar.closeArchiveEntry();
      return this;
    }

    byte[] toBytes() throws IOException {
      close();
      return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
      tar.close();
    }
  }

  private Path unpack(byte[] archive) throws IOException {
    Path file = Files.write(temp.resolve("archive.txz"), archive);
    return BinariesArchive.unpack(file.toUri().toURL(), temp.resolve("folder/../folder/cache"));
  }

  @Test
  void entryOutsideTheDirectory_isRefused() throws IOException {
    for (String name : new String[] {"../evil", "bin/../../evil", "/evil"}) {
      byte[] archive = new Archive("a").file(name, "evil").toBytes();
      assertThatThrownBy(() -> unpack(archive)).isInstanceOf(IOException.class);
    }
    assertNothingIsElsewhere();
  }

  @Test
  void entryBelowASymbolicLink_isRefused() throws IOException {
    byte[] archive =
        new Archive("a")
            // According to their names, both links stay inside; but the second one leads outside
            // through the first.
            .link("a/b/c", "../..", TarConstants.LF_SYMLINK)
            .link("out", "a/b/c/../..", TarConstants.LF_SYMLINK)
            .file("out/evil", "evil")
            .toBytes();
    assertThatThrownBy(() -> unpack(archive))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("symbolic link");
    assertNothingIsElsewhere();
  }

  @Test
  void linkOutsideTheDirectory_isRefused() throws IOException {
    for (byte kind : new byte[] {TarConstants.LF_SYMLINK, TarConstants.LF_LINK}) {
      for (String target : new String[] {"/etc/passwd", "../../../../etc/passwd"}) {
        byte[] archive = new Archive("a").link("bin/initdb", target, kind).toBytes();
        assertThatThrownBy(() -> unpack(archive)).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void existingEntry_isNotOverwritten() throws IOException {
    byte[] archive =
        new Archive("a")
            .link("bin/initdb", "postgres", TarConstants.LF_SYMLINK)
            .file("bin/initdb", "evil")
            .toBytes();
    assertThatThrownBy(() -> unpack(archive)).isInstanceOf(IOException.class);
  }

  private void assertNothingIsElsewhere() throws IOException {
    try (var files = Files.walk(temp)) {
      assertThat(files.filter(f -> f.getFileName().toString().equals("evil"))).isEmpty();
    }
  }

  @Test
  void truncatedArchive_isNotTreatedAsComplete() throws IOException {
    byte[] whole = new Archive("a").file("lib/large", "x".repeat(100_000)).toBytes();
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    assertThatThrownBy(() -> unpack(cut)).isInstanceOf(IOException.class);
    assertThat(unpack(whole).resolve("bin/postgres")).hasContent("a");
  }

  @Test
  void leftoverOfAnInterruptedUnpacking_isRepaired() throws IOException {
    byte[] archive = new Archive("a").toBytes();
    Path home = unpack(archive);
    Files.delete(home.resolve(".unpacked"));
    Files.delete(home.resolve("bin/postgres"));
    Path leftover = home.resolveSibling(home.getFileName() + ".unpacking");
    Files.writeString(Files.createDirectories(leftover.resolve("bin")).resolve("postgres"), "cut");
    assertThat(unpack(archive)).isEqualTo(home);
    assertThat(home.resolve("bin/postgres")).hasContent("a");
    assertThat(leftover).doesNotExist();
  }

  /** Simulates Spring Boot's loader, whose entries of nested jars have no size or CRC. */
  @Test
  void archivesWithoutSizeOrCrc_areDistinguished() throws IOException {
    Path cache = temp.resolve("cache");
    // Creating the same archive twice would give different timestamps.
    byte[] seventeen = new Archive("seventeen").toBytes();
    Path first = BinariesArchive.unpack(nested(seventeen), cache);
    Path second = BinariesArchive.unpack(nested(new Archive("eighteen").toBytes()), cache);
    assertThat(first.resolve("bin/postgres")).hasContent("seventeen");
    assertThat(second.resolve("bin/postgres")).hasContent("eighteen");
    assertThat(BinariesArchive.unpack(nested(seventeen), cache)).isEqualTo(first);
  }

  private URL nested(byte[] archive) throws IOException {
    Path jar = temp.resolve("outer.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("anything"));
    }
    return new URL(
        null,
        "jar:" + jar.toUri() + "!/archive.txz",
        new URLStreamHandler() {
          @Override
          protected URLConnection openConnection(URL url) throws IOException {
            return new NestedConnection(url, jar, archive);
          }
        });
  }

  private static final class NestedConnection extends JarURLConnection {
    private final Path jar;
    private final byte[] content;
    private boolean closed;

    NestedConnection(URL url, Path jar, byte[] content) throws IOException {
      super(url);
      this.jar = jar;
      this.content = content;
    }

    @Override
    public JarFile getJarFile() throws IOException {
      return new JarFile(jar.toFile()) {
        @Override
        public ZipEntry getEntry(String name) {
          return new JarEntry(name);
        }

        @Override
        public void close() throws IOException {
          closed = true;
          super.close();
        }
      };
    }

    @Override
    public InputStream getInputStream() {
      if (closed) {
        throw new IllegalStateException("Zip file closed"); // as Spring Boot's loader does
      }
      return new ByteArrayInputStream(content);
    }

    @Override
    public void connect() {}
  }
}
