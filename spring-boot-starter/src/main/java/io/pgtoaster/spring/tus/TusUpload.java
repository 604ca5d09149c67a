package io.pgtoaster.spring.tus;

import io.pgtoaster.column.RowKey;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An upload.
 *
 * @param id last part of its URL
 * @param key key of the row that stores its bytes; null while the row is being created
 * @param length length in bytes; null until the client declares it
 * @param metadata metadata that the client sent, decoded
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
   * @param id see the record component
   * @param key see the record component
   * @param length see the record component
   * @param metadata see the record component
   * @param owner see the record component
   * @param finished see the record component
   */
  public TusUpload {
    metadata = Map.copyOf(metadata);
  }

  /**
   * Returns the key of the row.
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
