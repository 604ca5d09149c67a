package io.pgtoaster.spring.tus;

import io.pgtoaster.column.RowKey;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An upload.
 *
 * @param id last part of its URL
 * @param key of the row that its bytes go to; null while that is being created
 * @param length in bytes; null while the client has not told it
 * @param metadata as the client gave it, decoded
 * @param owner name of the user who created it, or null
 * @param finished whether it is complete, and {@link TusUploads#finished} was called
 */
public record TusUpload(
    UUID id,
    @Nullable RowKey key,
    @Nullable Long length,
    Map<String, String> metadata,
    @Nullable String owner,
    boolean finished) {
  /**
   * Copies the map.
   *
   * @param id as the component says
   * @param key as the component says
   * @param length as the component says
   * @param metadata as the component says
   * @param owner as the component says
   * @param finished as the component says
   */
  public TusUpload {
    metadata = Map.copyOf(metadata);
  }

  /**
   * Returns the key of the row, where there is one.
   *
   * @return the key
   * @throws IllegalStateException while the row is being created
   */
  public RowKey row() {
    if (key == null) {
      throw new IllegalStateException("the row of the upload is being created");
    }
    return key;
  }
}
