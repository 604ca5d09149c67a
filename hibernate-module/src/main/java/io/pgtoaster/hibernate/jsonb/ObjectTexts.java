package io.pgtoaster.hibernate.jsonb;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the values that the application's objects were created from, or that are stored for
 * them. An entry lasts until the entry of the object's entity takes it over, or the object is gone.
 *
 * <p>Thread-safe.
 *
 * @param <V> the remembered value
 */
final class ObjectTexts<V> {
  private final Map<Key, V> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

  /** An object that is compared by identity, regardless of its own {@code equals}. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object object, @Nullable ReferenceQueue<Object> queue) {
      super(object, queue);
      this.hash = System.identityHashCode(object);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Object object = get();
      return other instanceof Key key && object != null && key.refersTo(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  void remember(Object object, V value) {
    for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
      values.remove(key);
    }
    values.put(new Key(object, gone), value);
  }

  @Nullable V get(Object object) {
    return values.get(new Key(object, null));
  }

  @Nullable V take(Object object) {
    return values.remove(new Key(object, null));
  }
}
