package io.pgtoaster.jsonb;

import io.pgtoaster.error.PatchFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * RFC 6902, carried out on a document: by toasters' columns in a transaction in which other writers
 * of the document are kept away, and which is undone if an operation fails. Values that are moved,
 * copied or tested are held in memory. Copies add at most {@value #DEFAULT_COPY_LIMIT} bytes to the
 * document unless {@link #withCopyLimit} allows more: twenty operations that copy an array into
 * itself make it a million times as large. Any thread may use it.
 */
public final class JsonPatch {
  /** The bytes that all copies of a patch may add by default. */
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
   * @return the patch
   * @throws PatchFailedException if it is none
   */
  public static JsonPatch of(JsonNode operations) {
    if (!operations.isArray()) {
      throw new PatchFailedException("a JSON Patch is an array of operations");
    }
    List<PatchOperation> read = new ArrayList<>(operations.size());
    for (JsonNode operation : operations) {
      read.add(PatchOperation.read(operation, read.size() + 1));
    }
    return new JsonPatch(List.copyOf(read), DEFAULT_COPY_LIMIT);
  }

  /**
   * Returns this patch with another limit of what its copies add.
   *
   * @param bytes as uncompressed {@code jsonb}, of all operations {@code copy} together
   * @return a patch of the same operations
   */
  public JsonPatch withCopyLimit(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("copyLimit is negative: " + bytes);
    }
    return new JsonPatch(operations, bytes);
  }

  /**
   * Returns the paths of all operations.
   *
   * @return where they change, read or test something
   */
  public List<DocumentPath> paths() {
    return operations.stream()
        .flatMap(o -> Stream.of(o.path(), o.from()).filter(Objects::nonNull))
        .map(Objects::requireNonNull)
        .toList();
  }

  /**
   * Carries it out; what was done before an operation that fails is for the caller to undo.
   *
   * @param target the document
   * @param <E> what it throws where it cannot be reached
   * @throws PatchFailedException if an operation cannot be carried out, a test failed, or copies
   *     add more than the limit
   * @throws E if the document cannot be reached
   */
  public <E extends Exception> void apply(PatchTarget<E> target) throws E {
    long copied = 0;
    for (PatchOperation operation : operations) {
      copied += new PatchStep<>(target, operation).run(copied, copyLimit);
    }
  }
}
