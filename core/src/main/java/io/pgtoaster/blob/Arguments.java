package io.pgtoaster.blob;

import io.pgtoaster.error.InvalidOffsetException;

/** Checks of what callers give, once for all toasters. */
final class Arguments {
  private Arguments() {}

  static long offset(long offset) {
    if (offset < 0) {
      throw new InvalidOffsetException("offset " + offset + " is negative");
    }
    return offset;
  }

  static long length(long length) {
    if (length < 0) {
      throw new InvalidOffsetException("length " + length + " is negative");
    }
    return length;
  }

  /** A range that ends where the content ends, if that is earlier. */
  static void part(long offset, long length) {
    offset(offset);
    length(length);
  }

  static void range(long offset, long length) {
    if (offset(offset) > Long.MAX_VALUE - length(length)) {
      throw new InvalidOffsetException(
          "offset " + offset + " and length " + length + " reach beyond 2^63 - 1");
    }
  }
}
