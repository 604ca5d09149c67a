package io.pgtoaster.hibernate.blob;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** Content that is not in the database yet, in order. */
final class PendingContent {
  private static final int GATHERED = 1 << 13;

  private final List<ContentSource> parts = new ArrayList<>();
  private final ByteArrayOutputStream last = new ByteArrayOutputStream(0);

  /** Adds a copy of bytes. Small appends are combined. */
  void add(byte[] bytes) {
    if (bytes.length < GATHERED) {
      last.writeBytes(bytes);
    } else {
      add(new ContentSource.Bytes(bytes.clone()));
    }
  }

  void add(ContentSource part) {
    seal();
    parts.add(part);
  }

  private void seal() {
    if (last.size() > 0) {
      parts.add(new ContentSource.Bytes(last.toByteArray()));
      last.reset();
    }
  }

  /** Returns the number of bytes; -1 if it is unknown. */
  long length() {
    long sum = last.size();
    for (ContentSource part : parts) {
      if (part.length() < 0) {
        return -1;
      }
      sum += part.length();
    }
    return sum;
  }

  /** Returns the whole content, if it is in memory. */
  byte @Nullable [] inMemory() {
    if (parts.isEmpty()) {
      return last.toByteArray();
    }
    seal();
    if (!parts.stream().allMatch(ContentSource.Bytes.class::isInstance)) {
      return null;
    }
    if (parts.size() > 1) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      parts.forEach(p -> all.writeBytes(((ContentSource.Bytes) p).bytes()));
      parts.clear();
      parts.add(new ContentSource.Bytes(all.toByteArray()));
    }
    return ((ContentSource.Bytes) parts.get(0)).bytes();
  }

  /** Throws an exception if the content was read before and cannot be read again. */
  void check() {
    if (!parts.stream().allMatch(ContentSource::isRepeatable)) {
      throw new BlobStateException(
          "the stream of this AppendableBlob was read by a transaction that did not commit;"
              + " assign a new AppendableBlob with a new stream to the attribute");
    }
  }

  /** Returns the same content for another blob. */
  PendingContent share() {
    seal();
    if (parts.stream().anyMatch(ContentSource.Once.class::isInstance)) {
      throw new BlobStateException(
          "one AppendableBlob over a stream was assigned to two attributes, but a stream can be"
              + " read only once; assign a separate blob to each");
    }
    PendingContent other = new PendingContent();
    other.parts.addAll(parts);
    return other;
  }

  /** Opens the whole content. */
  InputStream open(SharedSessionContractImplementor session) {
    check();
    seal();
    return new Sequence(List.copyOf(parts), session);
  }

  /** Reads one part after the other, and opens each only when it is needed. */
  private static final class Sequence extends InputStream {
    private final List<ContentSource> parts;
    private final SharedSessionContractImplementor session;
    private int next;
    private @Nullable InputStream in;

    Sequence(List<ContentSource> parts, SharedSessionContractImplementor session) {
      this.parts = parts;
      this.session = session;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      while (true) {
        InputStream from = in;
        if (from == null) {
          if (next == parts.size()) {
            return -1;
          }
          from = parts.get(next++).open(session);
          in = from;
        }
        int count = from.read(buffer, offset, length);
        if (count >= 0) {
          return count;
        }
        close();
      }
    }

    @Override
    public void close() throws IOException {
      InputStream open = in;
      in = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
