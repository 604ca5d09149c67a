package io.pgtoaster.jsonb.keyed.write;

import io.pgtoaster.jsonb.keyed.format.Ids;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The nodes of a stored document by their content: 24 bytes each, so that millions fit into memory.
 * Nodes of equal content are reused in the order of their numbers, which is usually document order.
 * Not thread-safe.
 */
final class StoredNodes {
  static final long NONE = -1;
  private static final int FIRST_CAPACITY = 64;

  private long[] high = new long[FIRST_CAPACITY];
  private long[] low = new long[FIRST_CAPACITY];
  private long[] ids = new long[FIRST_CAPACITY];
  private int[] order = {};
  private int[] slots = {};
  private int size;
  private final BitSet used = new BitSet();

  void add(long id, byte[] digest) {
    if (size == ids.length) {
      high = Arrays.copyOf(high, 2 * size);
      low = Arrays.copyOf(low, 2 * size);
      ids = Arrays.copyOf(ids, 2 * size);
    }
    ByteBuffer bytes = ByteBuffer.wrap(digest);
    high[size] = bytes.getLong();
    low[size] = bytes.getLong();
    ids[size++] = id;
  }

  /** Chains the nodes by hash, smallest number first. Call it after the last node was added. */
  void sort() {
    Integer[] byId = new Integer[size];
    Arrays.setAll(byId, i -> i);
    Arrays.sort(byId, (a, b) -> Long.compare(ids[b], ids[a]));
    slots = new int[Math.max(Integer.highestOneBit(size) << 1, 1)];
    Arrays.fill(slots, -1);
    order = new int[size];
    for (int i : byId) {
      int slot = slot(high[i]);
      order[i] = slots[slot];
      slots[slot] = i;
    }
  }

  private int slot(long hash) {
    return (int) hash & slots.length - 1;
  }

  /** Takes a node with that content that has not been taken yet; returns its number, or NONE. */
  long take(byte[] digest) {
    if (size == 0) {
      return NONE;
    }
    ByteBuffer bytes = ByteBuffer.wrap(digest);
    long first = bytes.getLong();
    long second = bytes.getLong();
    int slot = slot(first);
    int before = -1;
    for (int i = slots[slot]; i >= 0; i = order[i]) {
      if (high[i] == first && low[i] == second) {
        // Unlink it, so that finding a node stays fast if many are equal.
        if (before < 0) {
          slots[slot] = order[i];
        } else {
          order[before] = order[i];
        }
        used.set(i);
        return ids[i];
      }
      before = i;
    }
    return NONE;
  }

  /** Returns true if a node with that content has not been taken yet. */
  boolean has(byte[] digest) {
    if (size == 0) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.wrap(digest);
    long first = bytes.getLong();
    long second = bytes.getLong();
    int i = slots[slot(first)];
    while (i >= 0 && (high[i] != first || low[i] != second)) {
      i = order[i];
    }
    return i >= 0;
  }

  Ids unused() {
    Ids unused = new Ids();
    for (int i = used.nextClearBit(0); i < size; i = used.nextClearBit(i + 1)) {
      unused.add(ids[i]);
    }
    return unused;
  }
}
