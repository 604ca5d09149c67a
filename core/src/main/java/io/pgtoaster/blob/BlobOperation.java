package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.internal.column.OperationContext;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operation on a row, optionally on a range of its content or with another row as the target.
 */
record BlobOperation(String verb, Object key, @Nullable Object target, long offset, long length)
    implements OperationContext {
  private static final long NONE = -1;

  BlobOperation(String verb, Object key, long offset, long length) {
    this(verb, key, null, offset, length);
  }

  static BlobOperation row(String verb, Object key) {
    return new BlobOperation(verb, key, NONE, NONE);
  }

  static BlobOperation copy(Object key, Object target) {
    return new BlobOperation("copy", key, target, NONE, NONE);
  }

  @Override
  public Collection<?> keys() {
    return target == null ? List.of(key) : List.of(key, target);
  }

  @Override
  public String operation() {
    return "blob." + verb;
  }

  @Override
  public long bytes(@Nullable Object result) {
    if (result instanceof AppendResult append) {
      return append.repeated() ? 0 : append.length();
    }
    if (result instanceof byte[][] parts) {
      return Arrays.stream(parts).mapToLong(part -> part.length).sum();
    }
    return result instanceof byte[] bytes ? bytes.length : 0;
  }

  @Override
  public String outcome(@Nullable Object result) {
    if (result instanceof AppendResult append) {
      return append.repeated() ? "repeated" : "applied";
    }
    boolean nothing =
        Boolean.FALSE.equals(result)
            || (verb.equals("follow") && result instanceof byte[] bytes && bytes.length == 0)
            || (result instanceof Optional<?> found && found.isEmpty());
    return nothing ? "nothing" : "done";
  }

  @Override
  public String describe(String column) {
    StringBuilder s = new StringBuilder(OperationContext.super.describe(column));
    if (target != null) {
      s.append(", to key ").append(OperationContext.text(target));
    }
    if (offset != NONE) {
      s.append(", offset ").append(offset);
    }
    if (length != NONE) {
      s.append(", length ").append(length);
    }
    return s.toString();
  }
}
