package io.pgtoaster.blob;

/** What a call is about, for messages: a row, and perhaps a range of its content. */
record Place(Object key, long offset, long length) {
  private static final long NONE = -1;
  private static final int MAX_KEY = 100;

  static Place row(Object key) {
    return new Place(key, NONE, NONE);
  }

  String describe(String column) {
    String text = key instanceof byte[] bytes ? bytes.length + " bytes" : key.toString();
    StringBuilder s = new StringBuilder(column).append(", key ");
    s.append(text.length() > MAX_KEY ? text.substring(0, MAX_KEY) + "..." : text);
    if (offset != NONE) {
      s.append(", offset ").append(offset);
    }
    if (length != NONE) {
      s.append(", length ").append(length);
    }
    return s.toString();
  }
}
