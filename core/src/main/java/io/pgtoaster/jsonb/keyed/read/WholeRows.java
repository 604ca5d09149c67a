package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a whole document in memory: reads them in any order and returns them in document
 * order. Not thread-safe.
 */
final class WholeRows extends ValueRows {
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(char kind, Long @Nullable [] kids, byte @Nullable [] text) {}

  private final Map<Long, Row> nodes = new HashMap<>();

  /** Children of inner nodes that are not yet visited. */
  private final Deque<Long> pending = new ArrayDeque<>();

  /**
   * Reads all rows.
   *
   * @return the rows, positioned at the owner's row; null if that does not exist
   */
  static @Nullable WholeRows of(ResultSet r) throws SQLException {
    WholeRows rows = new WholeRows();
    Long overflow = null;
    boolean there = false;
    while (r.next()) {
      long id = r.getLong(1);
      if (!r.wasNull()) {
        rows.nodes.put(id, new Row(r.getString(2).charAt(0), kids(r.getArray(3)), r.getBytes(4)));
        continue;
      }
      if (r.getBoolean(6)) {
        throw new DocumentCorruptException(Refusals.NOT_OWNED);
      }
      there = true;
      rows.split = r.getBoolean(5);
      byte[] text = r.getBytes(4);
      rows.text = text;
      if (!rows.split && text != null && Markers.isMarked(text)) {
        throw new DocumentCorruptException(Refusals.NO_HEADER);
      }
      long named = r.getLong(7);
      overflow = r.wasNull() ? null : (Long) named;
    }
    if (overflow != null) {
      rows.begin(overflow);
    }
    return there ? rows : null;
  }

  private static Long @Nullable [] kids(@Nullable Array array) throws SQLException {
    return array == null ? null : (Long[]) array.getArray();
  }

  /**
   * Starts with the overflow branch, which is the whole document if the row has no other members.
   */
  private void begin(long branch) {
    byte[] members = text;
    if (members != null && members.length == 2) {
      next(branch);
    } else {
      overflow = true;
      pending.push(branch);
    }
  }

  @Override
  void next() {
    Long id = pending.poll();
    if (id == null) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    next(id);
  }

  @Override
  void next(long branch) {
    // Remove the row from the map, so that reading a document that contains a cycle ends.
    Row row = nodes.remove(branch);
    if (row == null) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    overflow = false;
    kind = row.kind();
    text = row.text();
    children = null;
    Long[] kids = row.kids();
    if (text == null && kids != null) {
      children = (long) kids.length;
      for (int i = kids.length - 1; i >= 0; i--) {
        pending.push(kids[i]);
      }
    }
  }

  @Override
  public void close() {
    nodes.clear();
  }
}
