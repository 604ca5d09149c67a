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

  /** Returns the key of the row, as the caller passed it. */
  Object key();

  /** Returns the keys of all rows that the call uses. */
  default Collection<?> keys() {
    return List.of(key());
  }

  /** Returns the name of the operation, for {@link CallListener#begin}. */
  default String operation() {
    return "other";
  }

  /** Returns how many bytes of content a call moved, for {@link CallListener.Call#end}. */
  default long bytes(@Nullable Object result) {
    return 0;
  }

  /** Returns the outcome of a call, for {@link CallListener.Call#end}. */
  default String outcome(@Nullable Object result) {
    return "done";
  }

  /** Describes the place in a column, which is named with schema and table. */
  default String describe(String column) {
    return column + ", key " + text(key());
  }

  /** Returns at most {@link #MAX_KEY} characters of a key, for use in messages. */
  static String text(Object key) {
    Object values = key instanceof RowKey row ? String.join(", ", row.values()) : key;
    String text = values instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(values);
    return text.length() > MAX_KEY ? text.substring(0, MAX_KEY) + "..." : text;
  }
}
