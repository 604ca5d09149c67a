package io.pgtoaster.internal;

/** Bytes in several arrays, one behind the other. */
public final class ByteArrays {
  private ByteArrays() {}

  /** Copies all of them to where they are wanted. */
  public static void copy(byte[][] parts, byte[] buffer, int from) {
    int to = from;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, buffer, to, part.length);
      to += part.length;
    }
  }

  /** Returns all of them in one array; the only one, where there is no other. */
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
