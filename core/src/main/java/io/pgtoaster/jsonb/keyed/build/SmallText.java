package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.keyed.format.Fragment;
import io.pgtoaster.jsonb.keyed.format.Ids;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * The text of nested open containers that are still small. Most containers of a document stay
 * small, so each of their characters is written only once. Not thread-safe.
 */
final class SmallText {
  private static final int FIRST_ENTRIES = 64;

  /**
   * A key in its stored form.
   *
   * @param name the key
   * @param quoted its JSON text
   * @param size bytes that it adds to an object
   */
  record Key(String name, String quoted, long size) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return size == other.size
          ? KeyOrder.compareBytes(name, other.name)
          : Long.compare(size, other.size);
    }
  }

  /** The key of an element of an array. */
  static final Key NO_KEY = new Key("", "", 0);

  /** An entry of a container. */
  private static final class Entry {
    Key key = NO_KEY;
    int start;
    int value;
    int end;
    long size;
    Ids kids = Ids.NONE;
  }

  private final StringBuilder text = new StringBuilder();
  private final StringBuilder sorted = new StringBuilder();

  /** The entries of all open containers; those of inner containers follow those of outer ones. */
  private Entry[] entries = {};

  private int top;

  /** Discards all open containers. */
  void clear() {
    text.setLength(0);
    top = 0;
  }

  /** Returns the text to which scalars are appended. */
  StringBuilder text() {
    return text;
  }

  private Entry push() {
    if (top == entries.length) {
      entries = Arrays.copyOf(entries, Math.max(2 * top, FIRST_ENTRIES));
      for (int i = top; i < entries.length; i++) {
        entries[i] = new Entry();
      }
    }
    return entries[top++];
  }

  /** A container. It is the innermost, except for containers opened after it. */
  final class Container {
    private final char kind;
    private final int start = text.length();
    private final int first = top;
    private long bytes = JsonbSize.CONTAINER;
    private boolean ordered = true;
    private boolean holdsKids;

    Container(char kind) {
      this.kind = kind;
      text.append(kind == 'a' ? '[' : '{');
    }

    long bytes() {
      return bytes;
    }

    /** Begins an entry: the text that follows is its value. */
    void begin(Key key) {
      if (top > first) {
        text.append(", ");
      }
      Entry entry = push();
      entry.key = key;
      entry.start = text.length();
      if (kind == 'o') {
        text.append(key.quoted()).append(": ");
        bytes += key.size();
        ordered &= top == first + 1 || entries[top - 2].key.compareTo(key) < 0;
      }
      entry.value = text.length();
    }

    /** Ends the entry that began last. */
    void end(long size, Ids kids) {
      Entry entry = entries[top - 1];
      entry.end = text.length();
      entry.size = size;
      entry.kids = kids;
      holdsKids |= !kids.isEmpty();
      bytes += JsonbSize.DATUM + size;
    }

    /** Passes all entries to a taker in their original order, and removes the container. */
    void leave(SortedMembers.Taker taker) throws SQLException {
      for (int i = first; i < top; i++) {
        Entry entry = entries[i];
        String value = text.substring(entry.value, entry.end);
        taker.take(
            entry.key.name(), new Fragment(kind(entry), value, entry.size, entry.kids, false));
      }
      drop();
    }

    private char kind(Entry entry) {
      return switch (text.charAt(entry.value)) {
        case '{' -> 'o';
        case '[' -> 'a';
        case '"' -> 's';
        default -> 'v';
      };
    }

    /** Removes the container from the text. */
    void drop() {
      text.setLength(start);
      top = first;
    }

    /** Sorts the members; returns false if two have the same key. */
    boolean sort() {
      if (ordered) {
        return true;
      }
      Arrays.sort(entries, first, top, (a, b) -> a.key.compareTo(b.key));
      for (int i = first + 1; i < top; i++) {
        if (entries[i - 1].key.compareTo(entries[i].key) == 0) {
          // Restore the original order, so that the last one stays last.
          Arrays.sort(entries, first, top, (a, b) -> Integer.compare(a.start, b.start));
          return false;
        }
      }
      sorted.setLength(0);
      for (int i = first; i < top; i++) {
        sorted.append(i == first ? "" : ", ").append(text, entries[i].start, entries[i].end);
      }
      text.setLength(start + 1);
      text.append(sorted);
      return true;
    }

    /** Ends the container and leaves it in the text as the value of the current entry. */
    Ids close() {
      text.append(kind == 'a' ? ']' : '}');
      Ids kids = Ids.NONE;
      if (holdsKids) {
        kids = new Ids();
        for (int i = first; i < top; i++) {
          kids.addAll(entries[i].kids);
        }
      }
      top = first;
      return kids;
    }

    /** Ends the container and removes it from the text. */
    Fragment fragment() {
      Ids kids = close();
      Fragment all = new Fragment(kind, text.substring(start), bytes, kids, false);
      drop();
      return all;
    }
  }
}
