package io.pgtoaster.blob;

import io.pgtoaster.error.UnsupportedCapabilityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;

/** The blob toasters on the class path, by name. Immutable. */
public final class BlobToasters {
  private final Map<String, BlobToaster> byName;

  private BlobToasters(Map<String, BlobToaster> byName) {
    this.byName = byName;
  }

  /**
   * Loads the toasters that {@link ServiceLoader} finds: our own, then those of other jars under
   * names that are not taken yet.
   *
   * @return the registry
   */
  public static BlobToasters load() {
    Map<String, BlobToaster> found = new LinkedHashMap<>();
    ClassLoader own = BlobToasters.class.getClassLoader();
    add(found, own, BlobToasters::isOurs);
    add(found, own, toaster -> true);
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null) {
      add(found, context, toaster -> true);
    }
    return new BlobToasters(Map.copyOf(found));
  }

  private static void add(
      Map<String, BlobToaster> found, ClassLoader loader, Predicate<BlobToaster> wanted) {
    for (BlobToaster toaster : ServiceLoader.load(BlobToaster.class, loader)) {
      if (wanted.test(toaster)) {
        found.putIfAbsent(toaster.name(), toaster);
      }
    }
  }

  /** Whether a toaster is of this library: no other jar can take its place. */
  private static boolean isOurs(BlobToaster toaster) {
    Class<?> type = toaster.getClass();
    return Objects.equals(type.getClassLoader(), BlobToasters.class.getClassLoader())
        && type.getPackageName().startsWith(BlobToasters.class.getPackageName() + ".");
  }

  /**
   * Finds a toaster.
   *
   * @param name as the catalog has it
   * @return the toaster
   * @throws UnsupportedCapabilityException if no jar on the class path brings it
   */
  public BlobToaster get(String name) {
    BlobToaster toaster = byName.get(name);
    if (toaster == null) {
      throw new UnsupportedCapabilityException(
          "there is no blob toaster \""
              + name
              + "\" on the class path, only "
              + byName.keySet().stream().sorted().toList());
    }
    return toaster;
  }

  /**
   * Returns the names.
   *
   * @return names of all toasters found
   */
  public Set<String> names() {
    return byName.keySet();
  }
}
