package io.pgtoaster.blob;

/** Finds an incomplete character at the end of a piece of UTF-8. */
final class Utf8Tail {
  private Utf8Tail() {}

  /** Returns the number of bytes, 0 to 3, of an incomplete character at the end. */
  static int incomplete(byte[] array, int count) {
    for (int back = 1; back <= Math.min(3, count); back++) {
      int b = array[count - back] & 0xFF;
      if (b < 0x80) {
        return 0;
      }
      if (b >= 0xC0) {
        int size = b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
        return back < size ? back : 0;
      }
    }
    return 0;
  }
}
