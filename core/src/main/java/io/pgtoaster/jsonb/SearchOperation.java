package io.pgtoaster.jsonb;

import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.InvalidSearchException;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.OperationContext;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds documents by what they contain. */
record SearchOperation(JsonSearch search) implements OperationContext {
  private static final String INVALID_PARAMETER = "22023";

  @Override
  public Object key() {
    return search.after() == null ? "any" : "after " + OperationContext.text(search.after());
  }

  @Override
  public String describe(String column) {
    return search.after() == null ? column : OperationContext.super.describe(column);
  }

  @Override
  public String operation() {
    return "document.search";
  }

  private interface Search<R> {
    R run(Connection connection, JsonVtable vtable, @Nullable RowKey after) throws SQLException;
  }

  /** Returns the keys of the rows found. */
  List<Object> run(ColumnAccess<JsonToaster, JsonVtable> access) {
    return run(access, search.after(), false, (c, v, after) -> v.search(c, search, after));
  }

  /** Returns the rows found, and where their documents match. */
  List<SearchMatches> runMatches(ColumnAccess<JsonToaster, JsonVtable> access) {
    return run(access, search.after(), false, (c, v, after) -> v.searchMatches(c, search, after));
  }

  /** Returns the rows found, best first. */
  List<SearchHit> runRanked(ColumnAccess<JsonToaster, JsonVtable> access) {
    return run(access, null, false, (c, v, after) -> v.searchRanked(c, search));
  }

  /** Returns the rows found, in the order of values. */
  List<JsonOrder.Hit> runOrdered(ColumnAccess<JsonToaster, JsonVtable> access, JsonOrder order) {
    Object last = order.after() == null ? null : order.after().key();
    return run(access, last, true, (c, v, after) -> v.searchOrdered(c, search, order, after));
  }

  private <R> R run(
      ColumnAccess<JsonToaster, JsonVtable> access,
      @Nullable Object last,
      boolean ordered,
      Search<R> found) {
    try {
      return access.run(
          this,
          true,
          column -> {
            @Nullable RowKey after = last == null ? null : column.key(last);
            return access.connections().read(c -> found.run(c, column.vtable(), after));
          });
    } catch (DatabaseException e) {
      if ((ordered || search.text() != null || !search.ranges().isEmpty())
          && INVALID_PARAMETER.equals(e.sqlState())) {
        throw new InvalidSearchException(String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }
}
