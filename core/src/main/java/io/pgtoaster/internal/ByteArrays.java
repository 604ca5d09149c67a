package io.pgtoaster.internal;

/** Joins bytes from several arrays. */
public final class ByteArrays {
  private ByteArrays() {}

  /** Copies all arrays to a buffer, one after the other. */
  public static void copy(byte[][] parts, byte[] buffer, int from) {
    int to = from;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, buffer, to, part.length);
      to += part.length;
    }
  }

  /** Returns the bytes of all arrays in one; a single array is returned as it is. */
  public static byte[] joined(byte[][] parts) {
    if (parts.length == 1) {
      return parts[0];
    }
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    byte[] all = new byte[length];
    copy(parts, all, 0);
    return all;
  }
}
