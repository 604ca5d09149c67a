package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.SqlTemplate;
import io.pgtoaster.internal.column.Permission;
import io.pgtoaster.internal.column.Routing;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Inserts the names of a store into statements. Each statement is completed at its first use,
 * because a maintenance run needs only a few of them. Thread-safe.
 */
final class StoreNames {
  /**
   * Marks the write as the library's for the triggers of the column, in this statement only. Always
   * true. It is part of the new value's expression, which is evaluated only for the changed row.
   */
  private static final String OURS =
      "pg_catalog.set_config('pgtoaster.write', CAST(pg_catalog.statement_timestamp() AS text),"
          + " true) IS NOT NULL";

  /** The number of a document or branch in a header or marker; -1 if it is not such a number. */
  private static final String BRANCH =
      "coalesce(CAST(substring({} FROM '^[0-9]{1,18}$') AS bigint), -1)";

  /** Always true; the planner assumes that it matches one number in two hundred. */
  private static final String ANY =
      "BETWEEN CAST('-9223372036854775808' AS bigint) AND 9223372036854775807";

  private final Map<KeyedSql, String> filled = new ConcurrentHashMap<>();
  private final boolean distributed;
  private final SqlTemplate names;

  StoreNames(AttachedColumn column) {
    Map<String, String> values = new HashMap<>();
    List<String> keys = column.key().stream().map(k -> k.quoted()).toList();
    values.put("column", column.quotedColumn());
    values.put("owner", column.quotedTable());
    values.put("may_update", Permission.mayUpdate(column));
    values.put("row", column.rowCondition());
    values.put("on_path", column.onPath());
    values.put("key_list", column.keyList());
    values.put("listed_row", column.listedRowCondition());
    values.put("leaf_size", column.option("leaf_size"));
    values.put("ours", OURS);
    values.put("any", ANY);
    values.put("head", table(column, "head"));
    values.put("node", table(column, "node"));
    values.put("read", table(column, "read"));
    values.put("edit", table(column, "edit"));
    values.put("change", table(column, "change"));
    values.put("hold", table(column, "hold"));
    values.put("owner_literal", text(column.quotedTable()));
    values.put("column_literal", text(column.quotedColumn()));
    values.put("row_by_texts", text(column.rowByTexts()));
    values.put("key_texts", column.keyTexts());
    values.put("key_columns", String.join(", ", keys));
    values.put(
        "key_values", String.join(", ", column.key().stream().map(KeyColumn::parameter).toList()));
    values.put("head_keys", each(keys, ", ", i -> "owner_" + (i + 1)));
    values.put("owner_keys", each(keys, ", ", i -> "o." + keys.get(i)));
    values.put("keys", each(keys, "", i -> "o." + keys.get(i) + " AS k" + (i + 1) + ", "));
    values.put("row_key", each(keys, ", ", i -> "s.k" + (i + 1)));
    IntFunction<String> owner = i -> "h.owner_" + (i + 1);
    IntFunction<String> inRow = i -> "o." + keys.get(i);
    values.put("owned", equal(column, owner, i -> "s.k" + (i + 1)));
    values.put("owned_by_row", equal(column, owner, inRow));
    String sameRow = equal(column, inRow, i -> "f.k" + (i + 1));
    values.put("same_row", sameRow + " AND " + column.onPath());
    Routing routing = Routing.of(column);
    KeyColumn leading = routing.leading();
    String lead = "owner_" + (routing.place() + 1);
    values.put("lead_row", leading == null ? "" : routing.condition("o." + leading.quoted()));
    values.put("lead_column", leading == null ? "" : ", " + lead);
    values.put("lead_value", leading == null ? "" : ", " + routing.value());
    values.put("lead_of_head", leading == null ? "" : ", h." + lead);
    values.put("modifies", routing.modification(table(column, "head"), "generation", lead));
    values.put("number", BRANCH);
    // On one server, no two documents share a number.
    values.put("lead", routing.spread() ? "{}." + routing.condition(lead) : "");
    distributed = column.distributed();
    names = new SqlTemplate(values);
  }

  private static String each(List<String> keys, String between, IntFunction<String> text) {
    return String.join(between, IntStream.range(0, keys.size()).mapToObj(text).toList());
  }

  private static String equal(
      AttachedColumn column, IntFunction<String> left, IntFunction<String> right) {
    return IntStream.range(0, column.key().size())
        .mapToObj(i -> column.key().get(i).compared(left.apply(i), "=", right.apply(i)))
        .collect(Collectors.joining(" AND "));
  }

  private static String text(String value) {
    return "CAST(" + Identifiers.literal(value) + " AS text)";
  }

  private static String table(AttachedColumn column, String part) {
    return column.storeTable(part);
  }

  /** Returns a statement with the names of the store. */
  String statement(KeyedSql sql) {
    return filled.computeIfAbsent(
        sql, s -> Query.STORED + names.fill(distributed ? DistributedSql.template(s) : s.template));
  }
}
