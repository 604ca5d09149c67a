package io.pgtoaster.jsonb;

import io.pgtoaster.column.RowPlace;

/** Many rows, and a path into their documents. */
record DocumentsPlace(int count, DocumentPath path) implements RowPlace {
  @Override
  public Object key() {
    return count + " keys";
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
