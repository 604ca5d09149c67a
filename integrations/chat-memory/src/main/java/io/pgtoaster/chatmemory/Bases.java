package io.pgtoaster.chatmemory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conversations as each thread last read or wrote them. A thread's next write starts from this
 * version, although another thread may have written since. Thread-safe.
 */
final class Bases {
  /**
   * Number of conversations to remember. A thread writes a conversation soon after it has read it.
   */
  private static final int MAX_PER_THREAD = 4;

  /**
   * A conversation as a thread knows it.
   *
   * @param version of the document with exactly these messages; 0 if the document may have others
   * @param hashes of the messages
   */
  record Base(long version, Digests hashes) {}

  private final ThreadLocal<Map<String, Base>> bases = ThreadLocal.withInitial(Bases::newMap);

  private static Map<String, Base> newMap() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, Base> eldest) {
        return size() > MAX_PER_THREAD;
      }
    };
  }

  /**
   * Returns the conversation as the calling thread knows it; null if the thread does not know it.
   */
  @Nullable Base get(String id) {
    return bases.get().get(id);
  }

  void set(String id, Base base) {
    bases.get().put(id, base);
  }

  void forget(String id) {
    bases.get().remove(id);
  }
}
