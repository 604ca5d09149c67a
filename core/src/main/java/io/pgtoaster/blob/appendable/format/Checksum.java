package io.pgtoaster.blob.appendable.format;

import java.util.zip.CRC32C;

/**
 * Computes the CRC32C (RFC 3720, appendix B.4) of stored rows, as a signed integer like
 * PostgreSQL's.
 */
public final class Checksum {
  private Checksum() {}

  public static int of(byte[] bytes, int from, int count) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, count);
    return (int) crc.getValue();
  }
}
