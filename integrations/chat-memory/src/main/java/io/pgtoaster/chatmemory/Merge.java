package io.pgtoaster.chatmemory;

import java.util.Arrays;

/** The messages of a conversation after the changes of two writers. */
final class Merge {
  /** Positions of stored messages, and complements of positions of the caller's messages. */
  private final int[] sources;

  private Merge(int[] sources) {
    this.sources = sources;
  }

  /**
   * Applies the caller's changes to the stored messages.
   *
   * @param base hashes of the messages with which the caller started
   * @param stored hashes of the messages that are stored
   * @param wanted hashes of the messages that the caller writes
   */
  static Merge of(Digests base, Digests stored, Digests wanted) {
    int[] inStored = Alignment.of(base, stored);
    int[] inWanted = Alignment.of(base, wanted);
    Merge.Builder result = new Merge.Builder(stored.size() + wanted.size());
    for (int i = 0; i < base.size(); i++) {
      if (inStored[i] >= 0) {
        result.storedUntil(inStored[i]);
      }
      if (inWanted[i] >= 0) {
        result.wantedUntil(inWanted[i]);
      }
      result.next(inStored[i] >= 0, inWanted[i] >= 0);
    }
    result.storedUntil(stored.size());
    result.wantedUntil(wanted.size());
    return result.build();
  }

  int size() {
    return sources.length;
  }

  /** Returns whether a message of the result is stored. */
  boolean isStored(int position) {
    return sources[position] >= 0;
  }

  /** Returns the position of a message of the result among the stored messages or the caller's. */
  int source(int position) {
    return isStored(position) ? sources[position] : ~sources[position];
  }

  Digests hashes(Digests stored, Digests wanted) {
    return new Digests(
        Arrays.stream(sources)
            .mapToLong(source -> source >= 0 ? stored.get(source) : wanted.get(~source))
            .toArray());
  }

  private static final class Builder {
    private final int[] sources;
    private int size;
    private int stored;
    private int wanted;

    Builder(int most) {
      sources = new int[most];
    }

    void storedUntil(int end) {
      while (stored < end) {
        sources[size++] = stored++;
      }
    }

    void wantedUntil(int end) {
      while (wanted < end) {
        sources[size++] = ~wanted++;
      }
    }

    /** Processes a message of the base, which stays if neither writer has removed it. */
    void next(boolean isStored, boolean isWanted) {
      if (isStored && isWanted) {
        sources[size++] = stored;
      }
      stored += isStored ? 1 : 0;
      wanted += isWanted ? 1 : 0;
    }

    Merge build() {
      return new Merge(Arrays.copyOf(sources, size));
    }
  }
}
