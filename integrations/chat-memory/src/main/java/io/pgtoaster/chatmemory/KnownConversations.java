package io.pgtoaster.chatmemory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM knows of conversations without reading them. The conversations that were used last
 * are kept. Thread-safe.
 */
final class KnownConversations {
  /** Hashes of all conversations together; 8 bytes each. */
  private static final int MAX_MESSAGES = 500_000;

  /** Threads that have read a conversation and not written it yet. */
  private static final int MAX_READERS = 8;

  /**
   * A state of a conversation.
   *
   * @param version of the document
   * @param hashes of its messages
   */
  record State(long version, Digests hashes) {}

  /**
   * Where a change begins.
   *
   * @param base what the caller's messages derive from
   * @param latest what is stored, as far as this JVM knows
   */
  record Start(State base, State latest) {
    boolean isLatest() {
      return base.version() == latest.version();
    }
  }

  private static final class Entry {
    State latest;
    final Map<Long, State> read = new LinkedHashMap<>();

    Entry(State latest) {
      this.latest = latest;
    }

    int size() {
      return latest.hashes().size() + read.values().stream().mapToInt(s -> s.hashes().size()).sum();
    }
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private int size;

  /** Notes what the calling thread has read. */
  synchronized void read(String id, State state) {
    Entry entry = take(id, state);
    entry.read.remove(thread());
    if (entry.read.size() >= MAX_READERS) {
      entry.read.remove(entry.read.keySet().iterator().next());
    }
    entry.read.put(thread(), state);
    put(id, entry);
  }

  /** Notes what the calling thread has stored. */
  synchronized void written(String id, State state) {
    Entry entry = take(id, state);
    entry.read.remove(thread());
    put(id, entry);
  }

  /**
   * Returns where the change of the calling thread begins: with what it has read. Two threads that
   * read the same messages and append to them then both keep theirs.
   */
  synchronized @Nullable Start start(String id, Digests wanted) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return null;
    }
    State latest = entry.latest;
    State read = entry.read.get(thread());
    // A caller that has the latest messages continued from them, whatever this thread read before.
    return read == null
            || read.version() == latest.version()
            || containsAll(wanted, latest.hashes())
        ? new Start(latest, latest)
        : new Start(read, latest);
  }

  synchronized void forget(String id) {
    Entry entry = entries.remove(id);
    size -= entry == null ? 0 : entry.size();
  }

  private Entry take(String id, State state) {
    Entry entry = entries.remove(id);
    if (entry == null) {
      return new Entry(state);
    }
    size -= entry.size();
    entry.latest = state;
    return entry;
  }

  private void put(String id, Entry entry) {
    entries.put(id, entry);
    size += entry.size();
    var oldest = entries.entrySet().iterator();
    while (size > MAX_MESSAGES && entries.size() > 1) {
      size -= oldest.next().getValue().size();
      oldest.remove();
    }
  }

  private static boolean containsAll(Digests wanted, Digests latest) {
    for (int position : Alignment.of(latest, wanted)) {
      if (position < 0) {
        return false;
      }
    }
    return true;
  }

  private static long thread() {
    return Thread.currentThread().getId();
  }
}
