package io.pgtoaster.hibernate.blob;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** A part of content that is not in the database yet. */
sealed interface ContentSource {
  /** Opens the part in the session that writes it. */
  InputStream open(SharedSessionContractImplementor session) throws IOException;

  /** Returns the number of bytes; -1 if it is unknown. */
  default long length() {
    return -1;
  }

  /** Returns whether it can be opened more than once. */
  default boolean isRepeatable() {
    return true;
  }

  /** Bytes in memory. */
  @SuppressWarnings("ArrayRecordComponent")
  record Bytes(byte[] bytes) implements ContentSource {
    @Override
    public InputStream open(SharedSessionContractImplementor session) {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public long length() {
      return bytes.length;
    }
  }

  /** A file, read when it is written. */
  record File(Path path) implements ContentSource {
    @Override
    public InputStream open(SharedSessionContractImplementor session) throws IOException {
      return Files.newInputStream(path);
    }
  }

  /** The content of another blob, read when it is written. */
  record Copy(AppendableBlob blob, BlobRow source) implements ContentSource {
    @Override
    public InputStream open(SharedSessionContractImplementor session) {
      if (!source.session().isClosed() && source.isReplaced(blob)) {
        throw new BlobStateException(
            source.describe()
                + ": its blob was assigned to another attribute, and it was given another value in"
                + " the same flush; flush the session between the two");
      }
      return source.copy(session);
    }
  }

  /** A stream, read once; the caller closes it. */
  final class Once implements ContentSource {
    private final InputStream in;
    private boolean taken;

    Once(InputStream in) {
      this.in = in;
    }

    @Override
    public InputStream open(SharedSessionContractImplementor session) {
      taken = true;
      return new FilterInputStream(in) {
        @Override
        public void close() {}
      };
    }

    @Override
    public boolean isRepeatable() {
      return !taken;
    }
  }
}
