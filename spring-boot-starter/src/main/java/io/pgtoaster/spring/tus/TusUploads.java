package io.pgtoaster.spring.tus;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.RowNotFoundException;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the row of an upload. Define a bean of this type if the application needs more than a new
 * row per upload. Must be thread-safe.
 */
public interface TusUploads {
  /**
   * Returns the column that stores the bytes. Called again for each request.
   *
   * @return the column, over a data source
   */
  BlobColumn column();

  /**
   * Creates the row of a new upload, with NULL in the column, or finds an existing row. Runs in the
   * transaction that registers the upload. Throw a {@link
   * org.springframework.web.server.ResponseStatusException} to reject the upload.
   *
   * @param upload the upload, which has no key yet
   * @return key of the row: a value, or a list of values for a composite key
   */
  Object create(TusUpload upload);

  /**
   * Returns whether a caller may continue an upload, request its offset or end it. {@link #create}
   * decides who may create uploads.
   *
   * @param upload the upload to continue
   * @param caller the caller, or null if the caller is anonymous
   * @return true if permitted; by default, only the user who created the upload, or anyone if that
   *     user was anonymous
   */
  default boolean permits(TusUpload upload, @Nullable Principal caller) {
    return upload.owner() == null || (caller != null && upload.owner().equals(caller.getName()));
  }

  /**
   * Called when the content is complete. Runs once, in a separate transaction; runs again only if
   * it failed. After that, the client is notified that its upload is complete.
   *
   * @param upload upload whose content is complete
   */
  default void finished(TusUpload upload) {}

  /**
   * Called when the client has ended the upload, or an incomplete upload has expired. Runs in a
   * transaction. By default, deletes the content and keeps the row if it exists. Called again if a
   * request that was running at that time has left content behind.
   *
   * @param upload upload to remove
   */
  default void terminated(TusUpload upload) {
    try {
      column().delete(upload.row());
    } catch (RowNotFoundException e) {
      // The application has already deleted the row.
    }
  }
}
