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

  /** Returns the keys of the rows found. */
  List<Object> run(ColumnAccess<JsonToaster, JsonVtable> access) {
    return run(
        access,
        false,
        column -> {
          @Nullable RowKey after = search.after() == null ? null : column.key(search.after());
          return access.connections().read(c -> column.vtable().search(c, search, after));
        });
  }

  /** Returns the rows found, and where their documents match. */
  List<SearchMatches> runMatches(ColumnAccess<JsonToaster, JsonVtable> access) {
    return run(
        access,
        false,
        column -> {
          @Nullable RowKey after = search.after() == null ? null : column.key(search.after());
          return access.connections().read(c -> column.vtable().searchMatches(c, search, after));
        });
  }

  /** Returns the rows found, best first. */
  List<SearchHit> runRanked(ColumnAccess<JsonToaster, JsonVtable> access) {
    return run(
        access,
        false,
        column -> access.connections().read(c -> column.vtable().searchRanked(c, search)));
  }

  /** Returns the rows found, in the order of values. */
  List<JsonOrder.Hit> runOrdered(ColumnAccess<JsonToaster, JsonVtable> access, JsonOrder order) {
    return run(
        access,
        true,
        column -> {
          JsonOrder.@Nullable Hit last = order.after();
          @Nullable RowKey after = last == null ? null : column.key(last.key());
          return access
              .connections()
              .read(c -> column.vtable().searchOrdered(c, search, order, after));
        });
  }

  private <R> R run(
      ColumnAccess<JsonToaster, JsonVtable> access,
      boolean ordered,
      ColumnAccess.Call<JsonToaster, JsonVtable, R> call) {
    try {
      return access.run(this, true, call);
    } catch (DatabaseException e) {
      if ((ordered || search.text() != null || !search.ranges().isEmpty())
          && INVALID_PARAMETER.equals(e.sqlState())) {
        throw new InvalidSearchException(String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }
}
