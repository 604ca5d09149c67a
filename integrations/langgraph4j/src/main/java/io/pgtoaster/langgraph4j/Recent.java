package io.pgtoaster.langgraph4j;

import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest checkpoints of recently written threads. Another writer may have added others.
 * Thread-safe.
 */
final class Recent {
  private static final int MAX_THREADS = 100;

  private final Map<String, SoftReference<Threads.Newest>> newest =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(
            Map.Entry<String, SoftReference<Threads.Newest>> eldest) {
          return size() > MAX_THREADS;
        }
      };

  synchronized Threads.@Nullable Newest get(String thread) {
    SoftReference<Threads.Newest> reference = newest.get(thread);
    return reference == null ? null : reference.get();
  }

  synchronized void put(String thread, Threads.Newest checkpoint) {
    newest.put(thread, new SoftReference<>(checkpoint));
  }

  synchronized void remove(String thread) {
    newest.remove(thread);
  }
}
