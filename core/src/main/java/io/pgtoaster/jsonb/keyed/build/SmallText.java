package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.jsonb.keyed.format.Fragment;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.spi.json.JsonbSize;
import io.pgtoaster.spi.json.KeyOrder;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Containers that are small so far, one within the other, in one text: most containers of a
 * document stay so, and each of their characters is written once. Not thread-safe.
 */
final class SmallText {
  private static final int FIRST_ENTRIES = 64;

  /**
   * A key as it is stored.
   *
   * @param name the key
   * @param quoted its JSON text
   * @param size what it adds to an object
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

  /** The entries of all open containers; those of the inner ones behind those of the outer ones. */
  private Entry[] entries = {};

  private int top;

  /** Forgets what is open. */
  void clear() {
    text.setLength(0);
    top = 0;
  }

  /** Where a scalar is written. */
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

  /** One container, the innermost but for those that are opened behind it. */
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

    /** Begins an entry: what is written behind it is its value. */
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

    /** Ends the entry that was begun last. */
    void end(long size, Ids kids) {
      Entry entry = entries[top - 1];
      entry.end = text.length();
      entry.size = size;
      entry.kids = kids;
      holdsKids |= !kids.isEmpty();
      bytes += JsonbSize.DATUM + size;
    }

    /** Gives all entries away, in the order in which they came. */
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

    /** Takes the container out of the text. */
    void drop() {
      text.setLength(start);
      top = first;
    }

    /** The text of the only member, if there is one, it has that key and is no container. */
    @Nullable String only(String key) {
      Entry entry = top == first + 1 ? entries[first] : null;
      return entry != null && entry.key.name().equals(key) && kind(entry) == 'v'
          ? text.substring(entry.value, entry.end)
          : null;
    }

    /** Puts members in order; false if two have the same key. */
    boolean sort() {
      if (ordered) {
        return true;
      }
      Arrays.sort(entries, first, top, (a, b) -> a.key.compareTo(b.key));
      for (int i = first + 1; i < top; i++) {
        if (entries[i - 1].key.compareTo(entries[i].key) == 0) {
          // The one that came last must stay so.
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

    /** Ends the container: it stays in the text, as the value of an entry that was begun. */
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

    /** Ends the container, and takes it out of the text. */
    Fragment fragment() {
      Ids kids = close();
      Fragment all = new Fragment(kind, text.substring(start), bytes, kids, false);
      drop();
      return all;
    }
  }
}
