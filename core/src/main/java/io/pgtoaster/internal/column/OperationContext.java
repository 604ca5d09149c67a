package io.pgtoaster.internal.column;

import io.pgtoaster.column.CallListener;
import io.pgtoaster.column.RowKey;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The subject of a call, for messages: a row, and perhaps part of its content. */
public interface OperationContext {
  /** Longest text of a key in a message. */
  int MAX_KEY = 100;

  /**
   * Returns the key of the row, as the caller passed it.
   *
   * @return the key
   */
  Object key();

  /**
   * Returns the keys of all rows that the call uses.
   *
   * @return keys as callers pass them
   */
  default Collection<?> keys() {
    return List.of(key());
  }

  /**
   * Returns the name of the operation.
   *
   * @return the name for {@link CallListener#begin}
   */
  default String operation() {
    return "other";
  }

  /**
   * Returns how much content a call moved.
   *
   * @param result that it returned
   * @return bytes, for {@link CallListener.Call#end}
   */
  default long bytes(@Nullable Object result) {
    return 0;
  }

  /**
   * Returns the outcome of a call.
   *
   * @param result that it returned
   * @return the outcome for {@link CallListener.Call#end}
   */
  default String outcome(@Nullable Object result) {
    return "done";
  }

  /**
   * Describes the place.
   *
   * @param column schema, table and column
   * @return text for messages, without payload
   */
  default String describe(String column) {
    return column + ", key " + text(key());
  }

  /**
   * Returns a key for use in messages.
   *
   * @param key as the caller passed it
   * @return at most {@link #MAX_KEY} characters of it
   */
  static String text(Object key) {
    Object values = key instanceof RowKey row ? String.join(", ", row.values()) : key;
    String text = values instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(values);
    return text.length() > MAX_KEY ? text.substring(0, MAX_KEY) + "..." : text;
  }
}
