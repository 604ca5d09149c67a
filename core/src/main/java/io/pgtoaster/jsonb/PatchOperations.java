package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.column.Patch;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The operations of a JSON Patch.
 *
 * @param copyLimit number of bytes that all copies may add
 */
record PatchOperations(List<PatchOperation> operations, long copyLimit) implements Patch {
  PatchOperations {
    if (copyLimit < 0) {
      throw new IllegalArgumentException("copyLimit is negative: " + copyLimit);
    }
    operations = List.copyOf(operations);
  }

  @Override
  public List<DocumentPath> paths() {
    return operations.stream()
        .flatMap(o -> Stream.of(o.path(), o.from()).filter(Objects::nonNull))
        .map(Objects::requireNonNull)
        .toList();
  }

  @Override
  public <E extends Exception> void apply(Patch.Target<E> target) throws E {
    long copied = 0;
    for (PatchOperation operation : operations) {
      copied += new PatchStep<>(target, operation).run(copied, copyLimit);
    }
  }
}
