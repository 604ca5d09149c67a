package io.pgtoaster.jsonb;

import io.pgtoaster.column.RowPlace;
import java.util.List;

/** Many rows, and a path into their documents. */
record DocumentsPlace(List<?> keys, DocumentPath path) implements RowPlace {
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
    return new DocumentPlace("get_all", key(), path).describe(column);
  }
}
