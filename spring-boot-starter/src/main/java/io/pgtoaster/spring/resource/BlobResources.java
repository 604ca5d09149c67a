package io.pgtoaster.spring.resource;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates blob resources and caches the lookup of their columns. Use one instance per database, so
 * not one for several tenants. Spring Boot configures a bean of this type. Thread-safe.
 */
public final class BlobResources {
  private record Name(String table, String column) {}

  private final PgToaster toaster;
  private final Map<Name, BlobColumn> columns = new ConcurrentHashMap<>();

  /**
   * Creates a factory for the resources of a database.
   *
   * @param toaster the entry point to the database
   */
  public BlobResources(PgToaster toaster) {
    this.toaster = toaster;
  }

  /**
   * Creates a resource without reading anything.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; take both names from the program, not from a request
   * @param key key of the row
   * @return the resource
   */
  public BlobResource get(String table, String column, Object key) {
    return BlobResource.of(
        columns.computeIfAbsent(new Name(table, column), n -> toaster.blobs(n.table(), n.column())),
        key);
  }
}
