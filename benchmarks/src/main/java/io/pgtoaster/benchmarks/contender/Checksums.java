package io.pgtoaster.benchmarks.contender;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** CRC32C of streams. */
public final class Checksums {
  private Checksums() {}

  /** Returns the checksum of a stream. Allocates no buffer if the stream has one. */
  public static long of(InputStream in) throws IOException {
    CheckedOutputStream out =
        new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32C());
    in.transferTo(out);
    return out.getChecksum().getValue();
  }

  public static long of(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }
}
