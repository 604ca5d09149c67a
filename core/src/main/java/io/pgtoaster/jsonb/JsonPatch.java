package io.pgtoaster.jsonb;

import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.internal.hook.Hidden;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A JSON Patch (RFC 6902) that can be applied to a document. On a column, it is applied in a
 * transaction that blocks other writers of the document, and is undone if an operation fails.
 * Values that are moved, copied or tested are held in memory. Copies add at most {@value
 * #DEFAULT_COPY_LIMIT} bytes to the document, unless {@link #withCopyLimit} allows more: twenty
 * operations that copy an array into itself can make it a million times as large. Thread-safe.
 */
public final class JsonPatch {
  /** The number of bytes that all copies of a patch may add by default. */
  public static final int DEFAULT_COPY_LIMIT = 1 << 20;

  static {
    Hidden.share(JsonPatch.class, JsonPatch::new, patch -> patch.operations);
  }

  final PatchOperations operations;

  private JsonPatch(PatchOperations operations) {
    this.operations = operations;
  }

  /**
   * Reads a patch.
   *
   * @param operations a checked value; its parts become parts of the patch
   * @throws PatchFailedException if the value is not a patch
   */
  public static JsonPatch of(JsonNode operations) {
    if (!operations.isArray()) {
      throw new PatchFailedException("a JSON Patch must be an array of operations");
    }
    List<PatchOperation> read = new ArrayList<>(operations.size());
    for (JsonNode operation : operations) {
      read.add(PatchOperation.read(operation, read.size() + 1));
    }
    return new JsonPatch(new PatchOperations(read, DEFAULT_COPY_LIMIT));
  }

  /**
   * Returns this patch with a different limit for the size that its copies add, as uncompressed
   * {@code jsonb}, for all {@code copy} operations together.
   */
  public JsonPatch withCopyLimit(long bytes) {
    return new JsonPatch(new PatchOperations(operations.operations(), bytes));
  }
}
