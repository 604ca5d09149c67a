package io.pgtoaster.internal.column;

import io.pgtoaster.column.RowKey;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The order in which all batches lock rows, so that two batches do not deadlock. */
public final class LockOrder {
  private static final Comparator<RowKey> ORDER = LockOrder::compare;

  private LockOrder() {}

  /**
   * Returns the indexes of keys in the order in which their rows are locked.
   *
   * @param keys of rows of one table
   * @throws IllegalArgumentException if two keys name the same row
   */
  public static List<Integer> of(List<RowKey> keys) {
    Set<RowKey> seen = new HashSet<>();
    for (RowKey key : keys) {
      if (!seen.add(key)) {
        throw new IllegalArgumentException(
            "the batch names the row with the key "
                + OperationContext.text(key)
                + " twice; combine its changes, or send two batches");
      }
    }
    return IntStream.range(0, keys.size())
        .boxed()
        .sorted(Comparator.comparing(keys::get, ORDER))
        .toList();
  }

  private static int compare(RowKey one, RowKey other) {
    int order = 0;
    for (int i = 0; order == 0 && i < one.values().size(); i++) {
      order = one.values().get(i).compareTo(other.values().get(i));
    }
    return order;
  }
}
