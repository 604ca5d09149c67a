package io.pgtoaster.spring.tus;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A body that is kept until its checksum is known: in memory, or if it is larger in a file. */
final class Spool implements AutoCloseable {
  private static final int IN_MEMORY = 256 << 10;

  private final byte[] head;
  private @Nullable Path file;
  private long length;

  private Spool(byte[] head) {
    this.head = head;
    this.length = head.length;
  }

  /** Reads a body to its end. */
  static Spool of(Body body, UploadChecksum checksum) throws IOException, Body.CutException {
    byte[] head = new byte[IN_MEMORY];
    int count = 0;
    int part;
    while (count < head.length && (part = body.read(head, count, head.length - count)) > 0) {
      count += part;
    }
    checksum.update(head, count);
    Spool spool = new Spool(Arrays.copyOf(head, count));
    if (count == head.length) {
      try {
        spool.fill(body, checksum);
      } catch (IOException | RuntimeException | Body.CutException e) {
        spool.close();
        throw e;
      }
    }
    return spool;
  }

  private void fill(Body body, UploadChecksum checksum) throws IOException, Body.CutException {
    file = Files.createTempFile("pgtoaster-upload", null);
    byte[] buffer = new byte[Body.WINDOW];
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(head);
      int part;
      while ((part = body.read(buffer, 0, buffer.length)) > 0) {
        checksum.update(buffer, part);
        out.write(buffer, 0, part);
        length += part;
      }
    }
  }

  long length() {
    return length;
  }

  InputStream open() throws IOException {
    return file == null ? new ByteArrayInputStream(head) : Files.newInputStream(file);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
