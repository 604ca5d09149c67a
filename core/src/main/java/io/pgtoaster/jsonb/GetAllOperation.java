package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.OperationContext;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one path of many documents. Duplicate keys are read once. */
record GetAllOperation<K>(List<K> keys, DocumentPath path) implements OperationContext {
  static <K> GetAllOperation<K> of(Collection<K> keys, DocumentPath path) {
    // List.copyOf would throw a NullPointerException for a null key; RowKey names the null key
    // instead.
    return new GetAllOperation<>(new LinkedHashSet<>(keys).stream().toList(), path);
  }

  @Override
  public Object key() {
    return keys.size() + " keys";
  }

  @Override
  public String operation() {
    return "document.get_all";
  }

  @Override
  public String describe(String column) {
    return new DocumentOperation("get_all", key(), path).describe(column);
  }

  /** Returns the values found, in the order of the keys. */
  <R> Map<K, R> run(ColumnAccess<JsonToaster, JsonVtable> access, FromText<R> use) {
    if (keys.isEmpty()) {
      return new LinkedHashMap<>();
    }
    return access.run(
        this,
        true,
        column -> {
          List<RowKey> rows = new ArrayList<>(keys.size());
          for (K key : keys) {
            rows.add(column.key(key));
          }
          Map<Integer, R> found = new HashMap<>();
          access
              .connections()
              .<Boolean>read(
                  c -> {
                    column
                        .vtable()
                        .texts(c, rows, path, (text, i) -> found.put(i, read(use, text)));
                    return true;
                  });
          Map<K, R> values = new LinkedHashMap<>();
          for (int i = 0; i < keys.size(); i++) {
            R value = found.get(i);
            if (value != null) {
              values.put(keys.get(i), value);
            }
          }
          return values;
        });
  }

  private static <R> @Nullable R read(FromText<R> use, InputStream text) {
    try {
      return use.read(text);
    } catch (IOException e) {
      throw Failures.afterwards(e);
    }
  }
}
