package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.spi.PatchTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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

  private final List<PatchOperation> operations;
  private final long copyLimit;

  private JsonPatch(List<PatchOperation> operations, long copyLimit) {
    this.operations = operations;
    this.copyLimit = copyLimit;
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
    return new JsonPatch(List.copyOf(read), DEFAULT_COPY_LIMIT);
  }

  /**
   * Returns this patch with a different limit for the size that its copies add, as uncompressed
   * {@code jsonb}, for all {@code copy} operations together.
   */
  public JsonPatch withCopyLimit(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("copyLimit is negative: " + bytes);
    }
    return new JsonPatch(operations, bytes);
  }

  /** Returns the paths that operations change, read or test. */
  public List<DocumentPath> paths() {
    return operations.stream()
        .flatMap(o -> Stream.of(o.path(), o.from()).filter(Objects::nonNull))
        .map(Objects::requireNonNull)
        .toList();
  }

  /**
   * Applies this patch. If an operation fails, the caller must undo the earlier ones.
   *
   * @throws PatchFailedException if an operation cannot be applied, a test failed, or copies add
   *     more than the limit
   */
  public <E extends Exception> void apply(PatchTarget<E> target) throws E {
    long copied = 0;
    for (PatchOperation operation : operations) {
      copied += new PatchStep<>(target, operation).run(copied, copyLimit);
    }
  }
}
