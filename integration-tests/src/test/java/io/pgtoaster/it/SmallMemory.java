package io.pgtoaster.it;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import org.postgresql.ds.PGSimpleDataSource;

/** What a JVM with little memory does: content in, content out, both digests printed. */
final class SmallMemory {
  private SmallMemory() {}

  public static void main(String[] args) throws Exception {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(args[0]);
    source.setUser(args[1]);
    BlobColumn blobs = PgToaster.create(source).blobs("item", "content");
    long key = Long.parseLong(args[2]);
    MessageDigest in = Bytes.sha256();
    try (InputStream input = new DigestInputStream(new Pattern(Long.parseLong(args[4])), in)) {
      if (args[3].equals("append")) {
        blobs.append(key, input);
      } else {
        try (BlobAppendStream stream = blobs.appendStream(key)) {
          input.transferTo(stream);
        }
      }
    }
    MessageDigest out = Bytes.sha256();
    try (InputStream stored = blobs.inputStream(key);
        OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), out)) {
      stored.transferTo(sink);
    }
    System.out.println(Bytes.hex(in) + " " + Bytes.hex(out));
  }

  static MessageDigest digestOfInput(long length) throws IOException {
    MessageDigest digest = Bytes.sha256();
    try (InputStream input = new DigestInputStream(new Pattern(length), digest)) {
      input.transferTo(OutputStream.nullOutputStream());
    }
    return digest;
  }

  /** Bytes that cost nothing to make and do not repeat. */
  private static final class Pattern extends InputStream {
    private final SplittableRandom random = new SplittableRandom(7);
    private long remaining;

    Pattern(long length) {
      this.remaining = length;
    }

    @Override
    public int read() {
      return remaining-- > 0 ? random.nextInt() & 0xFF : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (remaining <= 0) {
        return -1;
      }
      int n = (int) Math.min(length, remaining);
      for (int i = 0; i < n; i += 8) {
        long bits = random.nextLong();
        for (int k = 0; k < Math.min(8, n - i); k++) {
          buffer[offset + i + k] = (byte) (bits >>> (8 * k));
        }
      }
      remaining -= n;
      return n;
    }
  }
}
