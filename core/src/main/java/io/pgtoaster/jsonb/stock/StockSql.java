package io.pgtoaster.jsonb.stock;

import static java.util.stream.Collectors.joining;

import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.MatchRows;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import org.jspecify.annotations.Nullable;

/**
 * The statements over one stock column. Key parameters come last, unless documented otherwise. Each
 * statement reads the document once, or twice to change it. The document is named {@code d}; OFFSET
 * 0 prevents the server from reading it again for each use. The first column of a read is true if
 * the root looks like a stub. An edit does not change such a document unless its parameter {@code
 * trusted} is true.
 */
final class StockSql {
  private static final String SELECT = Query.STORED + "SELECT ";
  private static final String UPDATE = Query.STORED + "UPDATE ";
  private static final String IS_STUB =
      "coalesce(pg_catalog.jsonb_exists(s.d, '$pgtoaster'), false)";
  private static final String PATH = "CAST(? AS text[])";
  private static final String PARENT = "p.path[:pg_catalog.cardinality(p.path) - 1]";

  /** Selects the text of the value at a path; parameters: path. */
  final String open;

  /**
   * Selects the text for many rows, and the position of each key in the list; parameters: path,
   * keys.
   */
  final String openMany;

  /** Selects the text of some elements of the array at a path; parameters: offset, limit, path. */
  final String slice;

  /** Selects the type of the value at a path, and -1; parameters: path. */
  final String type;

  /** Selects the type and size of the value at a path, -1 for a scalar; parameters: path. */
  final String size;

  /**
   * Selects the type of the value at a path, and keys; parameters: path, key, after three times,
   * limit.
   */
  final String keys;

  /** Selects stored bytes, raw bytes and root members; no row if the column is NULL. */
  final String stat;

  /**
   * Selects an array: the types of the values at all prefixes of a path, whether the root is an
   * empty container, and whether it looks like a stub. Locks the row. Parameters: path.
   */
  final String probe;

  /**
   * Edits. Parameters: path, value, a flag, whether the last step is a position, whether to change
   * a document that looks like a stub, whether a value is expected, and that value. For set, the
   * flag is whether to create; for insert, whether to insert after the position. Edits return the
   * size of the new document; increments also return the new number.
   */
  final String set;

  final String insert;
  final String extend;
  final String extendRoot;
  final String keepLast;
  final String keepLastOfRoot;
  final String remove;
  final String increment;
  final String incrementRoot;

  /** Selects whether the value at a path is the expected one; parameters: path, value. */
  final String same;

  /** Stores a document unless the same text is stored; parameters: text. */
  final String put;

  /** Sets the column to NULL if it is not NULL. */
  final String clear;

  /** Finds the row. */
  final String exists;

  /** Selects the keys of the rows that contain a value, in order; parameters: value, limit. */
  final String search;

  /** Does the same for the rows after a key; parameters: value, key, limit. */
  final String searchAfter;

  /**
   * Selects the keys of the same rows, and where their documents match; parameters: value, limit,
   * those of {@link MatchRows}.
   */
  final String searchMatches;

  /** Does the same for the rows after a key. */
  final String searchMatchesAfter;

  private final String table;
  private final String name;
  private final String row;
  private final String read;
  private final String changed;
  private final @Nullable String condition;

  /**
   * Creates the statements.
   *
   * @param column a column of type jsonb
   * @param lazy whether the server fetches only the requested parts of a document. If so, reads
   *     rely on it, and edits change a copy, because the server can lose changes made in place
   * @param condition SQL condition of an edit, or null
   */
  StockSql(AttachedColumn column, boolean lazy, @Nullable String condition) {
    this.condition = condition;
    table = column.quotedTable() + " AS o";
    name = column.quotedColumn();
    row = " WHERE " + column.rowCondition();
    String whole = "o." + name + " #> CAST('{}' AS text[])";
    read = lazy ? "o." + name : whole;
    changed = lazy ? "CAST(CAST(o." + name + " AS text) AS jsonb)" : whole;
    String document = " FROM (SELECT " + read + " AS d FROM " + table + row + " OFFSET 0) s";
    String value =
        (" FROM (SELECT d.d, d.d #> " + PATH + " AS v")
            + (" FROM (SELECT " + read + " AS d FROM " + table + row + " OFFSET 0) d OFFSET 0) s");
    String ids = column.key().stream().map(k -> "o." + k.quoted()).collect(joining(", "));
    String last = column.key().stream().map(KeyColumn::parameter).collect(joining(", "));
    String found = " FROM " + table + " WHERE o." + name + " @> CAST(? AS pg_catalog.jsonb)";
    String after = found + " AND (" + ids + ") > (" + last + ")";
    String ordered = " ORDER BY " + ids + " LIMIT ?";
    search = "SELECT " + ids + found + ordered;
    searchAfter = "SELECT " + ids + after + ordered;
    String contents = "(SELECT " + ids + ", o." + name;
    String names = ") k(" + MatchRows.keys(column, "key_") + ", document)";
    searchMatches = MatchRows.statement(column, contents + found + ordered + names, "k.document");
    searchMatchesAfter =
        MatchRows.statement(column, contents + after + ordered + names, "k.document");
    open = SELECT + IS_STUB + ", CAST(s.d #> " + PATH + " AS text)" + document;
    openMany =
        (SELECT + IS_STUB + ", CAST(s.d #> " + PATH + " AS text), q.n FROM ")
            + (column.keyList() + " CROSS JOIN LATERAL (SELECT " + read + " AS d FROM " + table)
            + (" WHERE " + column.listedRowCondition() + " OFFSET 0) s");
    slice =
        (SELECT + IS_STUB + ", CASE WHEN pg_catalog.jsonb_typeof(s.v) = 'array' THEN")
            + " (SELECT CAST(coalesce(pg_catalog.jsonb_agg(a.e ORDER BY a.n), '[]') AS text)"
            + " FROM (SELECT CAST(? AS bigint) AS lo, CAST(? AS bigint) AS hi,"
            + " CAST(pg_catalog.jsonb_array_length(s.v) AS bigint) AS size OFFSET 0) p"
            + " CROSS JOIN pg_catalog.jsonb_array_elements(s.v) WITH ORDINALITY a(e, n)"
            + " WHERE a.n > CASE WHEN p.lo < CAST(0 AS bigint) THEN p.lo + p.size ELSE p.lo END"
            + " AND a.n <= CASE WHEN p.hi < CAST(0 AS bigint) THEN p.hi + p.size ELSE p.hi END) END"
            + value;
    type = SELECT + IS_STUB + ", pg_catalog.jsonb_typeof(s.d #> " + PATH + "), -1" + document;
    size =
        (SELECT + IS_STUB + ", pg_catalog.jsonb_typeof(s.v), CASE pg_catalog.jsonb_typeof(s.v)")
            + " WHEN 'array' THEN pg_catalog.jsonb_array_length(s.v) WHEN 'object' THEN (SELECT"
            + " pg_catalog.count(*) FROM pg_catalog.jsonb_object_keys(s.v)) ELSE -1 END"
            + value;
    keys =
        (SELECT + IS_STUB + ", pg_catalog.jsonb_typeof(s.v), k.k")
            + value
            + " LEFT JOIN LATERAL (SELECT f.k, f.n FROM pg_catalog.jsonb_object_keys(CASE"
            + " pg_catalog.jsonb_typeof(s.v) WHEN 'object' THEN s.v END) WITH ORDINALITY f(k, n)"
            + " WHERE CAST(? AS text) IS NULL OR (pg_catalog.octet_length(f.k), f.k COLLATE \"C\")"
            + " > (pg_catalog.octet_length(CAST(? AS text)), CAST(? AS text) COLLATE \"C\") ORDER"
            + " BY f.n LIMIT ?) k ON true ORDER BY k.n";
    stat =
        (SELECT + "pg_catalog.pg_column_size(o." + name + "), pg_catalog.pg_column_size(s.d),")
            + " CASE pg_catalog.jsonb_typeof(s.d) WHEN 'object' THEN (SELECT pg_catalog.count(*)"
            + " FROM pg_catalog.jsonb_object_keys(s.d)) ELSE 0 END"
            + (" FROM " + table + " CROSS JOIN LATERAL (SELECT " + whole + " AS d OFFSET 0) s")
            + row
            + (" AND o." + name + " IS NOT NULL");
    // After waiting for another writer, PostgreSQL evaluates the select list again, but not FROM.
    probe =
        (SELECT + "(SELECT pg_catalog.array_cat((SELECT")
            + " pg_catalog.array_agg(pg_catalog.jsonb_typeof(s.d #> p.path[:i]) ORDER BY i) FROM"
            + (" (SELECT " + PATH + " AS path) p,")
            + " pg_catalog.generate_series(0, pg_catalog.cardinality(p.path)) i),"
            + " ARRAY[CAST(coalesce(s.d IN ('{}', '[]'), false) AS text),"
            + (" CAST(" + IS_STUB + " AS text)])" + document(read) + ") FROM " + table + row)
            + " FOR NO KEY UPDATE";
    set =
        edit(
            "pg_catalog.jsonb_set(s.d, p.path, p.value, p.flag)",
            byParent("p.flag OR s.d #> p.path IS NOT NULL", "p.flag OR s.d #> p.path IS NOT NULL"));
    insert =
        edit(
            "pg_catalog.jsonb_insert(s.d, p.path, p.value, p.flag)",
            byParent("s.d #> p.path IS NULL", "true"));
    extend =
        edit(
            "pg_catalog.jsonb_set(s.d, p.path, (s.d #> p.path) || p.value, false)",
            "pg_catalog.jsonb_typeof(s.d #> p.path) = pg_catalog.jsonb_typeof(p.value)");
    extendRoot =
        edit("s.d || p.value", "pg_catalog.jsonb_typeof(s.d) = pg_catalog.jsonb_typeof(p.value)");
    String kept =
        "pg_catalog.jsonb_path_query_array(%s, 'lax $[last - $n + 1 to last]',"
            + " pg_catalog.jsonb_build_object('n', p.value))";
    keepLast =
        edit(
            "pg_catalog.jsonb_set(s.d, p.path, " + kept.formatted("s.d #> p.path") + ", false)",
            "pg_catalog.jsonb_typeof(s.d #> p.path) = 'array'");
    keepLastOfRoot = edit(kept.formatted("s.d"), "pg_catalog.jsonb_typeof(s.d) = 'array'");
    remove = edit("s.d #- p.path", "s.d #> p.path IS NOT NULL");
    String sum =
        "pg_catalog.to_jsonb(coalesce(CAST(%s AS numeric), 0) + CAST(p.value #>> CAST('{}' AS"
            + " text[]) AS numeric))";
    increment =
        edit(
                "pg_catalog.jsonb_set(s.d, p.path, " + sum.formatted("s.d #>> p.path") + ", true)",
                "CASE WHEN s.d #> p.path IS NOT NULL THEN pg_catalog.jsonb_typeof(s.d #> p.path) ="
                    + " 'number'"
                    + (" ELSE pg_catalog.jsonb_typeof(s.d #> " + PARENT + ") = 'object' END"))
            + (", o." + name + " #>> p.path");
    incrementRoot =
        edit(
                sum.formatted("s.d #>> CAST('{}' AS text[])"),
                "pg_catalog.jsonb_typeof(s.d) = 'number'")
            + (", o." + name + " #>> CAST('{}' AS text[])");
    same =
        (SELECT + "(s.d #> " + PATH + ") IS NOT DISTINCT FROM CAST(? AS jsonb)")
            + (" FROM (SELECT " + read + " AS d FROM " + table + row + " OFFSET 0) s");
    put =
        (UPDATE + table + " SET " + name + " = CAST(p.text AS jsonb)")
            + " FROM (VALUES (CAST(? AS text))) p(text)"
            + row
            + (" AND CAST(o." + name + " AS text) IS DISTINCT FROM p.text");
    clear = UPDATE + table + " SET " + name + " = NULL" + row + " AND o." + name + " IS NOT NULL";
    exists = SELECT + "1 FROM " + table + row;
  }

  private String edit(String change, String applies) {
    return (UPDATE + table + " SET " + name + " = (SELECT " + change + document(changed) + ")")
        + (" FROM (VALUES (" + PATH + ", CAST(? AS jsonb), CAST(? AS boolean),")
        + " CAST(? AS boolean), CAST(? AS boolean), CAST(? AS boolean), CAST(? AS jsonb)))"
        + " p(path, value, flag, position, trusted, conditional, expected)"
        + row
        + (" AND (SELECT (" + applies + ") AND (p.trusted OR NOT " + IS_STUB + ")")
        + " AND (NOT p.conditional OR s.d #> p.path IS NOT DISTINCT FROM p.expected)"
        + (document(read) + ")")
        + (condition == null ? "" : " AND " + condition)
        + (" RETURNING pg_catalog.pg_column_size(o." + name + ")");
  }

  private static String document(String expression) {
    return " FROM (SELECT " + expression + " AS d OFFSET 0) s";
  }

  private static String byParent(String object, String array) {
    return ("CASE pg_catalog.jsonb_typeof(s.d #> " + PARENT + ") WHEN 'object' THEN " + object)
        + (" WHEN 'array' THEN p.position AND (" + array + ") ELSE false END");
  }
}
