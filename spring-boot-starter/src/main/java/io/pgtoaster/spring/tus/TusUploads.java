package io.pgtoaster.spring.tus;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.RowNotFoundException;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Says which row an upload belongs to. An application that wants more than a new row per upload has
 * a bean of this type. Called by any threads.
 */
public interface TusUploads {
  /**
   * Returns where the bytes go. Asked anew by each request.
   *
   * @return the column, over a data source
   */
  BlobColumn column();

  /**
   * Makes the row of a new upload, whose column is NULL, or finds one. Runs in the transaction that
   * registers the upload. May refuse it by a {@link
   * org.springframework.web.server.ResponseStatusException}.
   *
   * @param upload without a key
   * @return key of the row: a value, or a list of values for a composite key
   */
  Object create(TusUpload upload);

  /**
   * Tells whether somebody may go on with an upload, ask for its offset or end it. Who may create
   * one is for {@link #create} to decide.
   *
   * @param upload to go on with
   * @param caller who asks, or null if nobody is known
   * @return true if so; by default, for the user who created it, and for anybody where that was
   *     nobody known
   */
  default boolean permits(TusUpload upload, @Nullable Principal caller) {
    return upload.owner() == null || (caller != null && upload.owner().equals(caller.getName()));
  }

  /**
   * The content is complete. Runs in a transaction of its own, once: again only if it failed. The
   * client is told that its upload is complete after this.
   *
   * @param upload whose content is complete
   */
  default void finished(TusUpload upload) {}

  /**
   * The client ended the upload, or an incomplete one has expired. Runs in a transaction. By
   * default the content is deleted, and the row stays if it is there. Called once more if a request
   * that was running meanwhile left content.
   *
   * @param upload to remove
   */
  default void terminated(TusUpload upload) {
    try {
      column().delete(upload.row());
    } catch (RowNotFoundException e) {
      // The application deleted it before.
    }
  }
}
