package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.Compression;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.AttributeBinderType;

/**
 * Options of the column of an {@link AppendableBlob}. Except for {@link #toaster} and {@link
 * #versioned}, only the tool that creates the schema uses them. An option that is not given has the
 * server's default.
 */
@Documented
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@AttributeBinderType(binder = AppendableColumnBinder.class)
public @interface AppendableColumn {
  /**
   * Returns the toaster of the column. With {@code "default"} it is an ordinary {@code bytea}
   * column, or a {@code text} column if {@code @Column(columnDefinition = "text")} says so.
   *
   * @return name of a toaster on the class path
   */
  String toaster() default BlobOptions.TOASTER;

  /**
   * Returns the size of a stored row in big writes.
   *
   * @return bytes; 0 for the server's default
   */
  int chunkSize() default 0;

  /**
   * Returns how many bytes at the blob's end are kept in its head row, where small appends are
   * cheap.
   *
   * @return bytes; -1 for the server's default
   */
  int tail() default -1;

  /**
   * Returns the compression of stored rows.
   *
   * @return the method
   */
  Compression compression() default Compression.NONE;

  /**
   * Returns whether each stored row contains a CRC32C.
   *
   * @return true if so
   */
  boolean crc32c() default false;

  /**
   * Returns the column of the entity's table that is the first column of every key of the store,
   * such as a tenant.
   *
   * @return exact name; empty for none
   */
  String leadingKey() default "";

  /**
   * Returns the unique index that addresses rows instead of the primary key.
   *
   * @return exact name; empty for the primary key
   */
  String keyIndex() default "";

  /**
   * Returns whether appends notify followers.
   *
   * @return true if so
   */
  boolean notifyFollowers() default false;

  /**
   * Returns whether the store's tables are created in the schema of the entity's table instead of
   * {@code pgtoaster}. Use it for roles that did not install the catalog.
   *
   * @return true if so
   */
  boolean inOwnerSchema() default false;

  /**
   * Returns whether appending, overwriting and truncating increment the version of the entity, once
   * per flush. Assigning another blob always increments it, unless the mapping excludes the
   * attribute from optimistic locking.
   *
   * @return true if so
   */
  boolean versioned() default false;
}
