package io.pgtoaster.column;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a call is about, for messages: a row, and perhaps a part of its content. */
public interface OperationContext {
  /** Longest text of a key in a message. */
  int MAX_KEY = 100;

  /**
   * Returns the key of the row, as the caller gave it.
   *
   * @return the key
   */
  Object key();

  /**
   * Returns the keys of all rows that the call is about.
   *
   * @return keys as callers give them
   */
  default Collection<?> keys() {
    return List.of(key());
  }

  /**
   * Returns what the call does.
   *
   * @return as {@link CallListener#begin} takes it
   */
  default String operation() {
    return "other";
  }

  /**
   * Tells how much content a call moved.
   *
   * @param result that it returned
   * @return bytes, as {@link CallListener.Call#end} takes them
   */
  default long bytes(@Nullable Object result) {
    return 0;
  }

  /**
   * Tells what became of a call.
   *
   * @param result that it returned
   * @return as {@link CallListener.Call#end} takes it
   */
  default String outcome(@Nullable Object result) {
    return "done";
  }

  /**
   * Describes the place.
   *
   * @param column schema, table and column
   * @return a text for messages, without payload
   */
  default String describe(String column) {
    return column + ", key " + text(key());
  }

  /**
   * Returns a key as messages show it.
   *
   * @param key as a caller gave it
   * @return at most {@link #MAX_KEY} characters of it
   */
  static String text(Object key) {
    Object values = key instanceof RowKey row ? String.join(", ", row.values()) : key;
    String text = values instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(values);
    return text.length() > MAX_KEY ? text.substring(0, MAX_KEY) + "..." : text;
  }
}
