package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.hibernate.internal.ColumnJdbcType;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.RowPart;
import java.sql.Types;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.jspecify.annotations.Nullable;

/** A {@code jsonb} value whose text the Java type reads and writes. Thread-safe. */
public final class DocumentJdbcType extends ColumnJdbcType {
  /** For columns whose values are always whole documents. */
  public static final DocumentJdbcType PLAIN = new DocumentJdbcType(null);

  /** Selects whole documents from a column that may contain stubs. */
  static final DocumentJdbcType WHOLE = new DocumentJdbcType("pgtoaster.expand");

  /**
   * Selects the stored form from a column that may contain stubs. With {@code
   * pgtoaster.transparent} on, the column itself returns whole documents.
   */
  static final DocumentJdbcType STORED = new DocumentJdbcType("pgtoaster.stored");

  private static final long serialVersionUID = 1;

  private final boolean stubs;

  private DocumentJdbcType(@Nullable String function) {
    super(Types.OTHER, function);
    this.stubs = function != null;
  }

  /**
   * Returns whether rows may contain only part of a document.
   *
   * @return true for a column that may contain stubs
   */
  public boolean holdsStubs() {
    return stubs;
  }

  @Override
  public int getDefaultSqlTypeCode() {
    return SqlTypes.JSON;
  }

  @Override
  protected <X> @Nullable Object bound(JavaType<X> type, X value, WrapperOptions options) {
    String text = type.unwrap(value, String.class, options);
    if (stubs && text != null && !isInserted(value)) {
      checkParameter(text);
    }
    return text;
  }

  /** Returns whether a flush inserts a value and has already determined the column's text. */
  private static boolean isInserted(Object value) {
    return value instanceof KeyedJson<?> json
        ? json.state().isInsertionPrepared()
        : MappedKind.INSERTED.get(value) != null;
  }

  /**
   * Rejects a document with the reserved key: a statement writes it as it is, and the table's guard
   * rejects stubs.
   */
  private static void checkParameter(String text) {
    if (text.contains(RowPart.KEY) && Json.readStored(text).has(RowPart.KEY)) {
      throw new InvalidJsonException(
          "the root key \"$pgtoaster\" is reserved, and a query cannot store a document that has"
              + " it; assign the document to the attribute of a loaded entity");
    }
  }
}
