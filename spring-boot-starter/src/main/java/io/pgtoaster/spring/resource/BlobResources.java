package io.pgtoaster.spring.resource;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes resources of blobs, and keeps what was looked up of their columns, so it is for one
 * database, and not for one per tenant. A bean where Spring Boot configures pgtoaster. For any
 * threads.
 */
public final class BlobResources {
  private record Name(String table, String column) {}

  private final PgToaster toaster;
  private final Map<Name, BlobColumn> columns = new ConcurrentHashMap<>();

  /**
   * Creates resources of a database.
   *
   * @param toaster the entry point to it
   */
  public BlobResources(PgToaster toaster) {
    this.toaster = toaster;
  }

  /**
   * Makes a resource; nothing is read.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; both from the program, not from a request
   * @param key of the row
   * @return the resource
   */
  public BlobResource get(String table, String column, Object key) {
    return BlobResource.of(
        columns.computeIfAbsent(new Name(table, column), n -> toaster.blobs(n.table(), n.column())),
        key);
  }
}
