package io.pgtoaster.blob;

/** The end of a piece of UTF-8. */
final class Utf8Tail {
  private Utf8Tail() {}

  /** Counts the bytes at the end that begin a character and do not complete it: 0 to 3. */
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
