package io.pgtoaster.blob;

import io.pgtoaster.error.InvalidOffsetException;

/** Argument checks that are common to all toasters. */
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

  static long lines(long lines) {
    if (lines < 0) {
      throw new IllegalArgumentException("the number of lines, " + lines + ", is negative");
    }
    return lines;
  }

  /** Checks a range that may reach beyond the end of the content. */
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
