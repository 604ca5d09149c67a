package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.DocumentCorruptException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads that do without the large statement: of values that stand in the owner's row, in a branch
 * that it names, or in one node. Each is one statement that has the answer, or tells that it has it
 * not; then the next one begins anew, with a snapshot of its own, and nothing of the first is used.
 */
final class QuickReads {
  /** How our keys end in the text of jsonb, and those of users that look like them. */
  private static final byte[] KEY_END = "pgtoaster\": ".getBytes(StandardCharsets.US_ASCII);

  private final KeyedStore store;
  private final Reaches reaches = new Reaches();

  QuickReads(KeyedStore store) {
    this.store = store;
  }

  /** An answer: a text, or that there is nothing. */
  static final class Answer {
    private final byte @Nullable [] text;

    private Answer(byte @Nullable [] text) {
      this.text = text;
    }

    @Nullable InputStream stream() {
      return text == null ? null : new ByteArrayInputStream(text);
    }
  }

  /** Notes what a read by the large statement found. */
  void found(Steps path, Reach reach) {
    int slot = Reaches.slot(path);
    if (reach == Reach.BRANCH) {
      reaches.foundBranch(slot, Reach.BRANCHES);
    } else {
      reaches.found(slot, reach);
    }
  }

  /** Whether the text of a part of a split document is that of the value. */
  static boolean isWhole(byte[] text) {
    int last = text.length - KEY_END.length;
    int from = 0;
    while (from <= last) {
      if (text[from] == 'p' && text[from + 9] == '"' && matches(text, from)) {
        return false;
      }
      from++;
    }
    return true;
  }

  private static boolean matches(byte[] text, int at) {
    for (int i = 0; i < KEY_END.length; i++) {
      if (text[at + i] != KEY_END[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads a value, but not the root.
   *
   * @return the answer; null if it takes the large statement
   */
  @Nullable Answer read(Connection connection, RowKey key, Steps path) throws SQLException {
    int slot = Reaches.slot(path);
    Reach expected = reaches.expected(slot);
    if (expected == Reach.BRANCH) {
      if (path.isPlain()) {
        return inBranch(connection, key, path, slot);
      }
      expected = Reach.NODE;
    }
    Answer answer = null;
    if (expected == Reach.ROW && path.isPlain()) {
      answer = inRow(connection, key, path);
      if (answer == null) {
        expected = Reach.NODE;
      } else {
        reaches.found(slot, Reach.ROW);
      }
    }
    return answer == null && expected == Reach.NODE ? inNode(connection, key, path, slot) : answer;
  }

  private @Nullable Answer inBranch(Connection connection, RowKey key, Steps path, int slot)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().inBranch)) {
      key.bind(s, path.bindGiven(connection, s, 1));
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw Reads.noRow();
        }
        BranchRows rows = new BranchRows(r);
        byte[] text = rows.value();
        if (text == null && rows.isIncomplete()) {
          reaches.missedBranch(slot);
          return null;
        }
        if (rows.wasInRow()) {
          reaches.found(slot, Reach.ROW);
        } else {
          reaches.readBranch(slot);
        }
        return new Answer(text);
      }
    }
  }

  private @Nullable Answer inRow(Connection connection, RowKey key, Steps path)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().inRow)) {
      key.bind(s, path.bindGiven(connection, s, 1));
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw Reads.noRow();
        }
        return answer(r);
      }
    }
  }

  /** What a row that is left by no marker answers. */
  private static @Nullable Answer answer(ResultSet r) throws SQLException {
    byte[] text = r.getBytes(1);
    return r.getBoolean(2) && (text == null || !isWhole(text)) ? null : new Answer(text);
  }

  private @Nullable Answer inNode(Connection connection, RowKey key, Steps path, int slot)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().inNode)) {
      key.bind(s, path.bind(connection, s, 1, path.length()));
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw Reads.noRow();
        }
        if (r.getBoolean(1)) {
          throw new DocumentCorruptException(StoredRows.NOT_OWNED);
        }
        byte[] text = r.getBytes(5);
        boolean split = r.getBoolean(2);
        if (r.getBoolean(3) || (split && text != null && !isWhole(text))) {
          return null;
        }
        boolean left = r.getBoolean(4) || (split && text == null);
        if (left && path.length() == 1) {
          reaches.foundBranch(slot, Reach.NODE);
        } else {
          reaches.found(slot, left ? Reach.NODE : Reach.ROW);
        }
        return new Answer(text);
      }
    }
  }

  /**
   * Reads the values at one path of many rows.
   *
   * @return whether that was all of them; if not, none has been given
   */
  boolean readAll(Connection connection, List<RowKey> keys, Steps path, ObjIntConsumer<byte[]> take)
      throws SQLException {
    int slot = Reaches.slot(path);
    Reach expected = reaches.expected(slot);
    if (path.length() == 0 || !path.isPlain()) {
      return false;
    }
    List<byte[]> texts = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    if (!(expected == Reach.ROW && inRows(connection, keys, path, texts, places, slot))
        && !(expected == Reach.BRANCH && inBranches(connection, keys, path, texts, places, slot))) {
      return false;
    }
    for (int i = 0; i < texts.size(); i++) {
      take.accept(texts.get(i), places.get(i));
    }
    return true;
  }

  private boolean inRows(
      Connection connection,
      List<RowKey> keys,
      Steps path,
      List<byte[]> texts,
      List<Integer> places,
      int slot)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().inRows)) {
      RowKey.bindAll(s, path.bindGiven(connection, s, 1), keys);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          Answer answer = answer(r);
          if (answer == null) {
            return false;
          }
          byte[] text = answer.text;
          if (text != null) {
            texts.add(text);
            places.add(r.getInt(3) - 1);
          }
        }
      }
    }
    reaches.found(slot, Reach.ROW);
    return true;
  }

  private boolean inBranches(
      Connection connection,
      List<RowKey> keys,
      Steps path,
      List<byte[]> texts,
      List<Integer> places,
      int slot)
      throws SQLException {
    boolean inRows = true;
    try (PreparedStatement s = connection.prepareStatement(store.sql().inBranches)) {
      path.bindGiven(connection, s, RowKey.bindAll(s, 1, keys));
      try (ResultSet r = s.executeQuery()) {
        boolean more = r.next();
        while (more) {
          int place = r.getInt(6) - 1;
          BranchRows rows = new BranchRows(r);
          byte[] text = rows.value();
          if (text != null) {
            texts.add(text);
            places.add(place);
          } else if (rows.isIncomplete()) {
            reaches.missedBranch(slot);
            return false;
          }
          inRows &= rows.wasInRow();
          more = r.next();
        }
      }
    }
    if (inRows) {
      reaches.found(slot, Reach.ROW);
    } else {
      reaches.readBranch(slot);
    }
    return true;
  }
}
