package io.pgtoaster.spi;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Strings;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts keys as callers pass them, and binds them. */
final class RowKeys {
  /**
   * SQLStates for text that is not a value of a type: invalid form, number out of range, invalid
   * date or time.
   */
  private static final Set<String> NOT_READ = Set.of("22P02", "22003", "22007", "22008");

  private RowKeys() {}

  /** Implements {@link AttachedColumn#rowKey}. */
  static RowKey of(Object key, List<KeyColumn> columns) {
    List<?> given = values(key);
    if (given.size() != columns.size()) {
      throw new InvalidKeyException(
          "the key has " + given.size() + " values, but the row key is " + names(columns), "22023");
    }
    if (given.size() == 1) {
      return new RowKey(List.of(text(given.get(0), columns.get(0))));
    }
    List<String> texts = new ArrayList<>(given.size());
    for (int i = 0; i < given.size(); i++) {
      texts.add(text(given.get(i), columns.get(i)));
    }
    return new RowKey(texts);
  }

  private static List<?> values(Object key) {
    if (key == null) {
      throw new IllegalArgumentException("key is null");
    }
    if (key instanceof RowKey row) {
      return row.values();
    }
    return key instanceof List<?> list ? list : List.of(key);
  }

  /** Implements {@link AttachedColumn#refused}. */
  static Optional<InvalidKeyException> refused(
      DatabaseException e, Collection<?> keys, List<KeyColumn> columns) {
    @Nullable String message = NOT_READ.contains(e.sqlState()) ? e.getMessage() : null;
    if (message == null) {
      return Optional.empty();
    }
    for (Object key : keys) {
      List<?> given = values(key);
      for (int i = 0; i < given.size() && i < columns.size(); i++) {
        Object value = given.get(i);
        KeyColumn column = columns.get(i);
        String text = form(value);
        if (!column.isAlwaysRead(text) && message.contains(text)) {
          return Optional.of(column.wrong(value, e.sqlState()));
        }
      }
    }
    return Optional.empty();
  }

  /** Implements {@link AttachedColumn#bind}. */
  static int bind(PreparedStatement statement, int first, RowKey key, List<KeyColumn> columns)
      throws SQLException {
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).bind(statement, first + i, key.values().get(i));
    }
    return first + columns.size();
  }

  private static String names(List<KeyColumn> columns) {
    return "(" + String.join(", ", columns.stream().map(KeyColumn::name).toList()) + ")";
  }

  private static String text(@Nullable Object value, KeyColumn column) {
    if (value == null) {
      throw new InvalidKeyException(
          "the value of the key column \""
              + column.name()
              + "\" is null, but rows have no NULL keys",
          "22004");
    }
    String text = form(value);
    if (text.indexOf('\0') >= 0) {
      throw new RowNotFoundException(
          "a key value contains a zero character, which no row can have");
    }
    if (Strings.hasHalfPair(text)) {
      // The driver would send "?" instead, which could be the key of another row.
      throw new RowNotFoundException(
          "a key value contains an unpaired surrogate, which no row can have");
    }
    @Nullable String refusal = column.refusal(text);
    if (refusal != null) {
      throw column.wrong(value, refusal);
    }
    return text;
  }

  private static String form(Object value) {
    return value instanceof byte[] bytes
        ? "\\x" + HexFormat.of().formatHex(bytes)
        : value.toString();
  }
}
