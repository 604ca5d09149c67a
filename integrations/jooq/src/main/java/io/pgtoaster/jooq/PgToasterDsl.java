package io.pgtoaster.jooq;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Name;
import org.jooq.QueryPart;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The functions of pgtoaster for documents, as fields, conditions and tables of jOOQ.
 *
 * <pre>{@code
 * ctx.update(PERSON)
 *     .set(PERSON.DOC, PgToasterDsl.append(PERSON.DOC, path("events"), json(event)))
 *     .where(PERSON.ID.eq(7L))
 *     .execute();
 * }</pre>
 */
public final class PgToasterDsl {
  private static final String SEARCH =
      "pgtoaster.search(CAST(NULL AS {0}), {1}, {2}, {3}, {4}, {5}, {6})";

  private PgToasterDsl() {}

  /**
   * Returns a path as a value.
   *
   * @param path in the syntax of {@link DocumentPath#parse}
   * @return its steps
   * @throws io.pgtoaster.error.InvalidPathException if the text is not a path
   */
  public static Field<String[]> path(String path) {
    return path(DocumentPath.parse(path));
  }

  /**
   * Returns a path as a value.
   *
   * @param path the path
   * @return its steps
   */
  public static Field<String[]> path(DocumentPath path) {
    return DSL.val(path.steps().toArray(String[]::new), SQLDataType.CLOB.array());
  }

  /**
   * Returns an object as a JSON value, converted by Jackson. A string becomes a JSON string.
   *
   * @param value a tree, or an object that Jackson can convert; null for the JSON null
   * @return the value
   * @throws io.pgtoaster.error.InvalidJsonException if {@code jsonb} cannot store it
   */
  public static Field<JSONB> json(@Nullable Object value) {
    return DSL.val(JSONB.valueOf(JsonbText.text(Json.toTree(value))), SQLDataType.JSONB);
  }

  /**
   * Returns the value at a path: {@code pgtoaster.get}.
   *
   * @param document a column
   * @param path of the value
   * @return the value; NULL if there is none
   */
  public static Field<JSONB> get(Field<?> document, Field<String[]> path) {
    return DSL.function(name("get"), SQLDataType.JSONB, document, path);
  }

  /**
   * Returns the value at a path as text: {@code pgtoaster.get_text}.
   *
   * @param document a column
   * @param path of the value
   * @return the content of a string, or the JSON text of another value; NULL if there is none
   */
  public static Field<String> getText(Field<?> document, Field<String[]> path) {
    return DSL.function(name("get_text"), SQLDataType.CLOB, document, path);
  }

  /**
   * Returns the whole document: {@code pgtoaster.expand}.
   *
   * @param document a column
   * @param <T> type of its values
   * @return the document
   */
  public static <T> Field<T> expand(Field<T> document) {
    return DSL.function(name("expand"), document.getDataType(), document);
  }

  /**
   * Returns whether a document contains a value, as {@code @>} does: {@code pgtoaster.contains}.
   * Unlike {@link #search}, it does not use an index.
   *
   * @param document a column
   * @param value the value
   * @return the condition
   */
  public static Condition contains(Field<?> document, Field<JSONB> value) {
    return DSL.condition(DSL.function(name("contains"), SQLDataType.BOOLEAN, document, value));
  }

  /**
   * Returns the rows that a search finds through the search indexes: {@code pgtoaster.search}. The
   * result has the name and the fields of the table.
   *
   * @param table the table with the documents
   * @param document its column
   * @param search what to find; it must not continue after a key
   * @return the rows
   * @throws IllegalArgumentException if the search continues after a key; add a condition instead
   */
  public static Table<Record> search(Table<?> table, Field<?> document, JsonSearch search) {
    return found(table, DSL.table(SEARCH, arguments(table, document, search)));
  }

  /**
   * Does the same as {@link #search}, and returns where the documents match: {@code
   * pgtoaster.search_matches}. The result has a row for each match, with the additional fields
   * {@code path} and {@code value}, so the table must not have such columns.
   *
   * @param table the table with the documents
   * @param document its column
   * @param search what to find; it must not continue after a key. Its limit counts rows of the
   *     table, with at most {@value SearchMatches#MAX_MATCHES} matches each
   * @return the rows
   * @throws IllegalArgumentException if the search continues after a key; add a condition instead
   */
  public static Table<Record> searchMatches(Table<?> table, Field<?> document, JsonSearch search) {
    String matches =
        "(SELECT h.*, m.path, m.value FROM "
            + SEARCH
            + " h CROSS JOIN LATERAL pgtoaster.search_matches(h.*, {1}, {2}, {3}, {5}, {6}) m) f";
    return found(
        table,
        DSL.table(matches, arguments(table, document, search)),
        DSL.field(DSL.name("path"), SQLDataType.CLOB.array()),
        DSL.field(DSL.name("value"), SQLDataType.JSONB));
  }

  /**
   * Returns the best rows of a search for words first: {@code pgtoaster.search_ranked}. The result
   * has the additional fields {@code rank} and {@code snippet}, so the table must not have such
   * columns.
   *
   * @param table the table with the documents
   * @param document its column
   * @param search the words, and what the documents contain
   * @return the rows
   * @throws IllegalArgumentException if the search has no words, has ranges, or continues after a
   *     key
   */
  public static Table<Record> searchRanked(Table<?> table, Field<?> document, JsonSearch search) {
    if (search.text() == null || !search.ranges().isEmpty()) {
      throw new IllegalArgumentException("a ranked search needs words, and cannot have ranges");
    }
    return found(
        table,
        DSL.table(
            "(SELECT (s.found).*, s.rank, s.snippet FROM"
                + " pgtoaster.search_ranked(CAST(NULL AS {0}), {1}, {3}, {2}, {4}, {6}) s) f",
            arguments(table, document, search)),
        DSL.field(DSL.name("rank"), SQLDataType.REAL),
        DSL.field(DSL.name("snippet"), SQLDataType.CLOB));
  }

  /**
   * Returns the rows with the lowest or highest values at a path first: {@code
   * pgtoaster.search_ordered}. The result has the additional field {@code value}, so the table must
   * not have such a column.
   *
   * @param table the table with the documents
   * @param document its column
   * @param search conditions, and the number of rows; it must not continue after a key
   * @param order the path; it may continue after a row
   * @return the rows
   * @throws IllegalArgumentException if the search continues after a key; call {@link
   *     JsonOrder#withAfter}
   */
  public static Table<Record> searchOrdered(
      Table<?> table, Field<?> document, JsonSearch search, JsonOrder order) {
    JsonOrder.Hit after = order.after();
    List<QueryPart> all = new ArrayList<>(List.of(arguments(table, document, search)));
    all.add(DSL.val(order.path(), SQLDataType.CLOB));
    all.add(DSL.val(order.descending(), SQLDataType.BOOLEAN));
    all.add(after == null ? DSL.castNull(SQLDataType.JSONB) : json(after.value()));
    all.add(DSL.val(after == null ? null : texts(after.key()), SQLDataType.CLOB.array()));
    return found(
        table,
        DSL.table(
            "(SELECT (s.found).*, s.value FROM pgtoaster.search_ordered(CAST(NULL AS {0}), {1},"
                + " {7}, {8}, {2}, {3}, {4}, {5}, {6}, {9}, {10}) s) f",
            all.toArray(QueryPart[]::new)),
        DSL.field(DSL.name("value"), SQLDataType.JSONB));
  }

  /** Returns the arguments of {@link #SEARCH}. */
  private static QueryPart[] arguments(Table<?> table, Field<?> document, JsonSearch search) {
    if (search.after() != null) {
      throw new IllegalArgumentException(
          "a search in SQL does not continue after a key; add a condition on the key");
    }
    return new QueryPart[] {
      table,
      DSL.inline(document.getName()),
      DSL.val(JSONB.jsonbOrNull(SearchTexts.probe(search)), SQLDataType.JSONB),
      DSL.val(search.text(), SQLDataType.CLOB),
      DSL.val((long) search.limit(), SQLDataType.BIGINT),
      DSL.val(JSONB.jsonbOrNull(SearchTexts.ranges(search.ranges())), SQLDataType.JSONB),
      DSL.val(textPaths(search), SQLDataType.CLOB.array())
    };
  }

  private static Table<Record> found(Table<?> table, Table<?> rows, Field<?>... more) {
    List<Field<?>> fields = new ArrayList<>();
    for (Field<?> field : table.fields()) {
      fields.add(DSL.field(field.getUnqualifiedName(), field.getDataType()));
    }
    fields.addAll(List.of(more));
    return DSL.select(fields).from(rows).asTable(table.getUnqualifiedName());
  }

  /** Returns the parts of a key as texts that PostgreSQL can read. */
  private static String[] texts(Object key) {
    List<?> parts =
        key instanceof RowKey row
            ? row.values()
            : key instanceof List<?> list ? list : List.of(key);
    return parts.stream()
        .map(p -> p instanceof byte[] b ? "\\x" + HexFormat.of().formatHex(b) : p.toString())
        .toArray(String[]::new);
  }

  private static String @Nullable [] textPaths(JsonSearch search) {
    return search.textPaths().isEmpty() ? null : search.textPaths().toArray(String[]::new);
  }

  /**
   * Sets the value at a path: {@code pgtoaster.set}. Adds the member if it is missing.
   *
   * @param document a column, or an edit of it
   * @param path of the value
   * @param value the new value
   * @param <T> type of its values
   * @return the edited document, for an {@code UPDATE} of the same column
   */
  public static <T> Field<T> set(Field<T> document, Field<String[]> path, Field<JSONB> value) {
    return edit("set", document, path, value);
  }

  /**
   * Inserts an element before the one at a path, or a new member: {@code pgtoaster.insert}.
   *
   * @param document a column, or an edit of it
   * @param path of the value
   * @param value the new value
   * @param <T> type of its values
   * @return the edited document, for an {@code UPDATE} of the same column
   */
  public static <T> Field<T> insert(Field<T> document, Field<String[]> path, Field<JSONB> value) {
    return edit("insert", document, path, value);
  }

  /**
   * Removes the value at a path: {@code pgtoaster.remove}.
   *
   * @param document a column, or an edit of it
   * @param path of the value
   * @param <T> type of its values
   * @return the edited document, for an {@code UPDATE} of the same column
   */
  public static <T> Field<T> remove(Field<T> document, Field<String[]> path) {
    return edit("remove", document, path);
  }

  /**
   * Appends to the array at a path: {@code pgtoaster.append}.
   *
   * @param document a column, or an edit of it
   * @param path of the array
   * @param value an element, or an array of them
   * @param <T> type of its values
   * @return the edited document, for an {@code UPDATE} of the same column
   */
  public static <T> Field<T> append(Field<T> document, Field<String[]> path, Field<JSONB> value) {
    return edit("append", document, path, value);
  }

  /**
   * Removes elements from the start of the array at a path: {@code pgtoaster.keep_last}.
   *
   * @param document a column, or an edit of it
   * @param path of the array
   * @param elements number of elements to keep
   * @param <T> type of its values
   * @return the edited document, for an {@code UPDATE} of the same column
   */
  public static <T> Field<T> keepLast(Field<T> document, Field<String[]> path, int elements) {
    return edit("keep_last", document, path, DSL.val(elements));
  }

  /**
   * Adds to the number at a path: {@code pgtoaster.increment}. A missing member counts as 0.
   *
   * @param document a column, or an edit of it
   * @param path of the value
   * @param delta what to add
   * @param <T> type of its values
   * @return the edited document, for an {@code UPDATE} of the same column
   */
  public static <T> Field<T> increment(Field<T> document, Field<String[]> path, Number delta) {
    return edit(
        "increment",
        document,
        path,
        DSL.val(new BigDecimal(delta.toString()), SQLDataType.NUMERIC));
  }

  /**
   * Merges a patch into the document (RFC 7396): {@code pgtoaster.merge}.
   *
   * @param document a column, or an edit of it
   * @param patch the patch; its nulls remove members
   * @param <T> type of its values
   * @return the edited document, for an {@code UPDATE} of the same column
   */
  public static <T> Field<T> merge(Field<T> document, Field<JSONB> patch) {
    return edit("merge", document, patch);
  }

  /**
   * Applies a patch to the document (RFC 6902): {@code pgtoaster.patch}.
   *
   * @param document a column, or an edit of it
   * @param patch an array of operations
   * @param <T> type of its values
   * @return the edited document, for an {@code UPDATE} of the same column
   */
  public static <T> Field<T> patch(Field<T> document, Field<JSONB> patch) {
    return edit("patch", document, patch);
  }

  private static <T> Field<T> edit(String function, Field<T> document, Field<?>... arguments) {
    Field<?>[] all = new Field<?>[arguments.length + 1];
    all[0] = document;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return DSL.function(name(function), document.getDataType(), all);
  }

  private static Name name(String function) {
    return DSL.name("pgtoaster", function);
  }
}
