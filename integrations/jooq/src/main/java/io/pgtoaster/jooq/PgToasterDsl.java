package io.pgtoaster.jooq;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Name;
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
    if (search.after() != null) {
      throw new IllegalArgumentException(
          "a search in SQL does not continue after a key; add a condition on the key");
    }
    Table<Record> found =
        DSL.table(
            "pgtoaster.search(CAST(NULL AS {0}), {1}, {2}, {3}, {4}, {5}, {6})",
            table,
            DSL.inline(document.getName()),
            DSL.val(JSONB.jsonbOrNull(SearchTexts.probe(search)), SQLDataType.JSONB),
            DSL.val(search.text(), SQLDataType.CLOB),
            DSL.val((long) search.limit(), SQLDataType.BIGINT),
            DSL.val(JSONB.jsonbOrNull(SearchTexts.ranges(search.ranges())), SQLDataType.JSONB),
            DSL.val(textPaths(search), SQLDataType.CLOB.array()));
    List<Field<?>> fields = new ArrayList<>();
    for (Field<?> field : table.fields()) {
      fields.add(DSL.field(field.getUnqualifiedName(), field.getDataType()));
    }
    return DSL.select(fields).from(found).asTable(table.getUnqualifiedName());
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
