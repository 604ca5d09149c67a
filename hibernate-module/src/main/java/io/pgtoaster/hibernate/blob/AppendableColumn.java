package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobOptions.Compression;
import io.pgtoaster.blob.appendable.AppendableBlobToaster;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.AttributeBinderType;

/**
 * Options of the column of an {@link AppendableBlob}. All are for the tool that makes the schema,
 * but for {@link #toaster} and {@link #versioned}. What is not given takes the server's default.
 */
@Documented
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@AttributeBinderType(binder = AppendableColumnBinder.class)
public @interface AppendableColumn {
  /**
   * Names the toaster of the column. With {@code "default"} it is an ordinary {@code bytea} column,
   * or a {@code text} one where {@code @Column(columnDefinition = "text")} says so.
   *
   * @return name of a toaster on the class path
   */
  String toaster() default AppendableBlobToaster.NAME;

  /**
   * Tells how many bytes a stored row of big writes has.
   *
   * @return bytes; 0 for the server's default
   */
  int chunkSize() default 0;

  /**
   * Tells how many bytes of the blob's end are kept in its head row, where small appends are cheap.
   *
   * @return bytes; -1 for the server's default
   */
  int tail() default -1;

  /**
   * Tells how stored rows are compressed.
   *
   * @return the method
   */
  Compression compression() default Compression.NONE;

  /**
   * Tells whether each stored row carries a CRC32C.
   *
   * @return true if so
   */
  boolean crc32c() default false;

  /**
   * Names the column of the entity's table that leads every key of the store, such as a tenant.
   *
   * @return exact name; empty for none
   */
  String leadingKey() default "";

  /**
   * Names the unique index that addresses rows instead of the primary key.
   *
   * @return exact name; empty for the primary key
   */
  String keyIndex() default "";

  /**
   * Tells whether appends notify followers.
   *
   * @return true if so
   */
  boolean notifyFollowers() default false;

  /**
   * Tells whether the store's tables are made in the schema of the entity's table, and not in
   * {@code pgtoaster}: for roles that did not install the catalog.
   *
   * @return true if so
   */
  boolean inOwnerSchema() default false;

  /**
   * Tells whether appending, overwriting and truncating increment the version of the entity, once
   * per flush. To give the attribute another blob always does, unless the mapping excludes it from
   * optimistic locking.
   *
   * @return true if so
   */
  boolean versioned() default false;
}
