package io.pgtoaster.internal.column;

import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.Toaster;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;

/** The toasters of one kind on the class path, by name. Immutable. */
public final class Toasters<T extends Toaster<?, ?>> {
  private static final String DOCUMENTS = "JSON";

  private final String kind;
  private final Map<String, T> byName;

  private Toasters(String kind, Map<String, T> byName) {
    this.kind = kind;
    this.byName = byName;
  }

  /** Loads the blob toasters that {@link ServiceLoader} finds. */
  public static Toasters<BlobToaster> blobs() {
    return load(BlobToaster.class, "blob", "io.pgtoaster.blob.");
  }

  /** Loads the JSON toasters that {@link ServiceLoader} finds. */
  public static Toasters<JsonToaster> documents() {
    return load(JsonToaster.class, DOCUMENTS, "io.pgtoaster.jsonb.");
  }

  /**
   * Loads toasters. This library's toasters come first; toasters of other jars are added if their
   * names are not in use yet.
   */
  private static <T extends Toaster<?, ?>> Toasters<T> load(
      Class<T> type, String kind, String ownPackages) {
    Map<String, T> found = new LinkedHashMap<>();
    ClassLoader own = type.getClassLoader();
    add(found, type, own, toaster -> isOurs(toaster, ownPackages));
    add(found, type, own, toaster -> true);
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null) {
      add(found, type, context, toaster -> true);
    }
    return new Toasters<>(kind, Map.copyOf(found));
  }

  private static <T extends Toaster<?, ?>> void add(
      Map<String, T> found, Class<T> type, ClassLoader loader, Predicate<T> wanted) {
    for (T toaster : ServiceLoader.load(type, loader)) {
      if (wanted.test(toaster)) {
        found.putIfAbsent(toaster.name(), toaster);
      }
    }
  }

  /**
   * Returns whether a toaster belongs to this library. Toasters of other jars cannot replace it.
   */
  private static boolean isOurs(Object toaster, String ownPackages) {
    Class<?> found = toaster.getClass();
    return Objects.equals(found.getClassLoader(), Toasters.class.getClassLoader())
        && found.getName().startsWith(ownPackages);
  }

  /**
   * Finds a toaster.
   *
   * @throws UnsupportedCapabilityException if no jar on the class path provides it
   */
  public T get(String name) {
    T toaster = byName.get(name);
    if (toaster == null) {
      throw new UnsupportedCapabilityException(
          "there is no %s toaster \"%s\" on the class path, only %s"
              .formatted(kind, name, byName.keySet().stream().sorted().toList()));
    }
    return toaster;
  }

  /**
   * Finds the toaster of a column.
   *
   * @throws UnsupportedCapabilityException if the column's content is of the other kind, or no jar
   *     on the class path provides its toaster
   */
  public T of(AttachedColumn column) {
    boolean documents = column.typeName().equals("jsonb");
    if (!byName.containsKey(column.toaster()) && documents != kind.equals(DOCUMENTS)) {
      String content = documents ? "documents" : "blobs";
      throw new UnsupportedCapabilityException(
          "the column %s contains %s; use %s()".formatted(column.describe(), content, content));
    }
    return get(column.toaster());
  }

  /**
   * Finds a toaster that may be missing.
   *
   * @return the toaster; empty if no jar on the class path provides it
   */
  public Optional<T> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Returns the names of all toasters found. */
  public Set<String> names() {
    return byName.keySet();
  }
}
