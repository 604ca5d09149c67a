package io.pgtoaster;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Components as the methods of {@link ColumnStatus}. */
record StoreStatus(
    int store,
    @Nullable String schema,
    @Nullable String table,
    String column,
    String toaster,
    Map<String, String> options,
    @Nullable Long contents,
    @Nullable Long bytes,
    @Nullable Long storedRows,
    @Nullable Long tableBytes,
    @Nullable Double deadShare,
    @Nullable Long garbage,
    List<String> warnings)
    implements ColumnStatus {
  StoreStatus {
    options = Map.copyOf(options);
    warnings = List.copyOf(warnings);
  }

  /** The same with more warnings. */
  StoreStatus warned(List<String> more) {
    return more.isEmpty()
        ? this
        : new StoreStatus(
            store,
            schema,
            table,
            column,
            toaster,
            options,
            contents,
            bytes,
            storedRows,
            tableBytes,
            deadShare,
            garbage,
            Stream.concat(warnings.stream(), more.stream()).toList());
  }
}
