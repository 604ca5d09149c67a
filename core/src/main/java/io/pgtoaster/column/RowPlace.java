package io.pgtoaster.column;

/** What a call is about, for messages: a row, and perhaps a part of its content. */
public interface RowPlace {
  /** Longest text of a key in a message. */
  int MAX_KEY = 100;

  /**
   * Returns the key of the row, as the caller gave it.
   *
   * @return the key
   */
  Object key();

  /**
   * Describes the place.
   *
   * @param column schema, table and column
   * @return a text for messages, without payload
   */
  default String describe(String column) {
    Object key = key();
    String text = key instanceof byte[] bytes ? bytes.length + " bytes" : key.toString();
    return column
        + ", key "
        + (text.length() > MAX_KEY ? text.substring(0, MAX_KEY) + "..." : text);
  }
}
