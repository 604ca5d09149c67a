package io.pgtoaster.spring.tus;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Buffers a body until its checksum is known: in memory, or in a file if it is larger. The file is
 * unlinked as soon as it is open, so that nothing remains if the process is killed.
 */
final class BodyBuffer implements AutoCloseable {
  private static final int IN_MEMORY = 256 << 10;

  /**
   * Memory per body: for its head, a window, and the part of the file that is read before it is
   * appended.
   */
  static final int MEMORY = IN_MEMORY + Body.WINDOW + (1 << 20);

  private final byte[] head;
  private @Nullable FileChannel file;
  private long length;

  private BodyBuffer(byte[] head) {
    this.head = head;
    this.length = head.length;
  }

  /** Reads a body to its end. */
  static BodyBuffer of(Body body, UploadChecksum checksum) throws IOException, Body.CutException {
    byte[] head = new byte[IN_MEMORY];
    int count = 0;
    int part;
    while (count < head.length && (part = body.read(head, count, head.length - count)) > 0) {
      count += part;
    }
    checksum.update(head, count);
    BodyBuffer buffer = new BodyBuffer(Arrays.copyOf(head, count));
    if (count == head.length) {
      try {
        buffer.fill(body, checksum);
      } catch (IOException | RuntimeException | Body.CutException e) {
        buffer.close();
        throw e;
      }
    }
    return buffer;
  }

  private void fill(Body body, UploadChecksum checksum) throws IOException, Body.CutException {
    FileChannel channel =
        FileChannel.open(
            Files.createTempFile("pgtoaster-upload", null),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    file = channel;
    OutputStream out = Channels.newOutputStream(channel);
    out.write(head);
    byte[] buffer = new byte[Body.WINDOW];
    int part;
    while ((part = body.read(buffer, 0, buffer.length)) > 0) {
      checksum.update(buffer, part);
      out.write(buffer, 0, part);
      length += part;
    }
  }

  long length() {
    return length;
  }

  InputStream open() throws IOException {
    return file == null
        ? new ByteArrayInputStream(head)
        : Channels.newInputStream(file.position(0));
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
