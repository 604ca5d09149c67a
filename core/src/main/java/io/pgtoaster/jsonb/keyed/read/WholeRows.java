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
final class WholeRows implements ValueRows {
  private static final class Row {
    final char kind;
    final Long @Nullable [] kids;
    final byte @Nullable [] text;

    Row(char kind, Long @Nullable [] kids, byte @Nullable [] text) {
      this.kind = kind;
      this.kids = kids;
      this.text = text;
    }
  }

  private final Map<Long, Row> nodes = new HashMap<>();

  /** Children of inner nodes that are not yet visited. */
  private final Deque<Long> pending = new ArrayDeque<>();

  private Row present = new Row('-', null, null);
  private boolean split;
  private boolean overflow;

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
      rows.present = new Row('-', null, r.getBytes(4));
      rows.split = r.getBoolean(5);
      byte[] text = rows.present.text;
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

  /** Starts with the overflow branch; if the row has no other members, it is the document. */
  private void begin(long branch) {
    byte[] members = present.text;
    if (members != null && members.length == 2) {
      next(branch);
    } else {
      overflow = true;
      pending.push(branch);
    }
  }

  @Override
  public void next() {
    Long id = pending.poll();
    if (id == null) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    next(id);
  }

  @Override
  public void next(long branch) {
    // Remove the row from the map, so that reading a document with a cycle ends.
    Row row = nodes.remove(branch);
    if (row == null) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    overflow = false;
    present = row;
    Long[] kids = row.kids;
    if (row.text == null && kids != null) {
      for (int i = kids.length - 1; i >= 0; i--) {
        pending.push(kids[i]);
      }
    }
  }

  @Override
  public boolean split() {
    return split;
  }

  @Override
  public char kind() {
    return present.kind;
  }

  @Override
  public @Nullable Long children() {
    Long[] kids = present.kids;
    return kids == null || present.text != null ? null : (Long) (long) kids.length;
  }

  @Override
  public boolean hasOverflow() {
    return overflow;
  }

  @Override
  public byte @Nullable [] text() {
    return present.text;
  }

  @Override
  public void close() {
    nodes.clear();
  }
}
