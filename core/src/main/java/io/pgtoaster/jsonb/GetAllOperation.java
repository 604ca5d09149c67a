package io.pgtoaster.jsonb;

import io.pgtoaster.column.OperationContext;
import java.util.List;

/** Many rows, and a path into their documents. */
record GetAllOperation(List<?> keys, DocumentPath path) implements OperationContext {
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
}
