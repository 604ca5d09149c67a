package io.pgtoaster.blob;

import io.pgtoaster.error.UnsupportedCapabilityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** The blob toasters on the class path, by name. Immutable. */
public final class BlobToasters {
  private final Map<String, BlobToaster> byName;

  private BlobToasters(Map<String, BlobToaster> byName) {
    this.byName = byName;
  }

  /**
   * Loads the toasters that {@link ServiceLoader} finds: our own and those of other jars.
   *
   * @return the registry
   */
  public static BlobToasters load() {
    Map<String, BlobToaster> found = new LinkedHashMap<>();
    for (BlobToaster toaster :
        ServiceLoader.load(BlobToaster.class, BlobToasters.class.getClassLoader())) {
      found.putIfAbsent(toaster.name(), toaster);
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null) {
      for (BlobToaster toaster : ServiceLoader.load(BlobToaster.class, context)) {
        found.putIfAbsent(toaster.name(), toaster);
      }
    }
    return new BlobToasters(Map.copyOf(found));
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
