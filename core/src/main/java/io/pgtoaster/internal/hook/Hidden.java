package io.pgtoaster.internal.hook;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Creates objects of the API's types from internal ones, and returns their internal parts. Users
 * see neither. Each type shares its constructor and its internal part in its static initializer.
 */
public final class Hidden {
  /** Adds the place of a failure to its message. */
  @FunctionalInterface
  public interface Place {
    /** Adds a place. */
    void add(String place);
  }

  private record Shared<T, I>(Function<I, T> constructor, Function<T, I> part) {}

  private static final Map<Class<?>, Shared<?, ?>> SHARED = new ConcurrentHashMap<>();

  private Hidden() {}

  /** Shares the constructor and the internal part of a type. */
  public static <T, I> void share(Class<T> type, Function<I, T> constructor, Function<T, I> part) {
    SHARED.put(type, new Shared<>(constructor, part));
  }

  /** Creates an object from its internal part. */
  public static <T> T create(Class<T> type, Object part) {
    return type.cast(shared(type).constructor().apply(part));
  }

  /**
   * Returns the internal part of an object.
   *
   * @param type the type that shares it
   * @param part the type of the part
   */
  public static <T, I> I part(Class<T> type, T object, Class<I> part) {
    return part.cast(shared(type).part().apply(object));
  }

  @SuppressWarnings("unchecked")
  private static Shared<Object, Object> shared(Class<?> type) {
    if (!SHARED.containsKey(type)) {
      try {
        MethodHandles.lookup().ensureInitialized(type);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
    return (Shared<Object, Object>) Objects.requireNonNull(SHARED.get(type));
  }
}
