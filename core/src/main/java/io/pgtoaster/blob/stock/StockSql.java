package io.pgtoaster.blob.stock;

import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import org.jspecify.annotations.Nullable;

/** The statements over one stock column. Key parameters come last, unless documented otherwise. */
final class StockSql {
  final AttachedColumn column;
  final StockRules rules;
  final boolean text;

  /** Selects the length; it is null if the column is NULL. */
  final String length;

  /** Selects the length and locks the row. */
  final String lock;

  /** Selects the bytes of a range; parameters: position from 1, count. */
  final String read;

  /**
   * Selects the bytes of a range that is split in two; parameters: those of the first part, then of
   * the second.
   */
  final String readBroken;

  /** Selects the bytes of a range of many rows; parameters: the keys, position from 1, count. */
  final String readMany;

  /** Selects the lengths of many rows. */
  final String lengths;

  /** Appends; parameters: bytes. */
  final String append;

  /**
   * Appends if the value has enough room and the expected length; parameters: bytes, key, maximum
   * length before the append, expected length or null twice.
   */
  final String tryAppend;

  /** Overwrites; parameters: bytes, position from 1, count. */
  final String overwrite;

  /** Truncates; parameters: length. */
  final String truncate;

  /** Copies into an empty column; parameters: key of the source, key of the target. */
  final String copy;

  /** Selects the stored length and the actual number of bytes; null if no length is stored. */
  final @Nullable String countedLength;

  /** Sets the stored length; null if no length is stored. Parameters: length. */
  final @Nullable String keepLength;

  StockSql(AttachedColumn column, boolean text, StockRules rules) {
    this.column = column;
    this.text = text;
    this.rules = rules;
    String table = column.quotedTable() + " AS o";
    String name = column.quotedColumn();
    String row = " WHERE " + column.rowCondition();
    String bytes = text ? "pg_catalog.convert_to(o." + name + ", 'UTF8')" : "o." + name;
    String set = "UPDATE " + table + " SET " + name + " = ";
    String joined = set + "coalesce(o." + name + ", '') || ";
    String part = "substring(" + bytes + " FROM ? FOR ?)";
    String octets;
    if (rules.lengthColumn() == null) {
      octets = "pg_catalog.octet_length(o." + name + ")";
      append = joined + value("CAST(? AS bytea)") + row;
      copy = set + "(SELECT o." + name + " FROM " + table + row + ")" + row;
      countedLength = null;
      keepLength = null;
    } else {
      String kept = Identifiers.quote(rules.lengthColumn());
      String whole = whole("o." + name, rules.breakAt());
      String counted = "pg_catalog.octet_length(" + whole + ")";
      octets = keptOr(counted, kept, name);
      countedLength = "SELECT " + octets + ", " + counted + " FROM " + table + row;
      append =
          (joined
                  + "p.bytes, "
                  + kept
                  + " = coalesce("
                  + octets
                  + ", 0) + pg_catalog.octet_length(p.bytes)")
              + (" FROM (VALUES (CAST(? AS bytea))) p(bytes)" + row);
      copy =
          ("UPDATE " + table + " SET (" + name + ", " + kept + ") = (SELECT " + whole)
              + (", " + octets + " FROM " + table + row + ")" + row);
      keepLength = "UPDATE " + table + " SET " + kept + " = CAST(? AS bigint)" + row;
    }
    length = "SELECT " + octets + " FROM " + table + row;
    lock = length + " FOR NO KEY UPDATE";
    read = "SELECT " + part + " FROM " + table + row;
    readMany = listed(column, part);
    lengths = listed(column, "coalesce(" + octets + ", 0)");
    readBroken = "SELECT " + part + " || " + part + " FROM " + table + row;
    tryAppend =
        append
            + (" AND coalesce(" + octets + ", 0) <= ?")
            + (" AND (CAST(? AS bigint) IS NULL OR coalesce(" + octets + ", 0) = ?)")
            + (rules.condition() == null ? "" : " AND " + rules.condition())
            + (" RETURNING " + octets);
    overwrite = set + value("overlay(" + bytes + " PLACING CAST(? AS bytea) FROM ? FOR ?)") + row;
    truncate = set + value("substring(" + bytes + " FROM 1 FOR ?)") + row;
  }

  /** Selects an expression of each row of a list, with the number of the row. */
  private static String listed(AttachedColumn column, String expression) {
    return "SELECT q.n, s.result FROM "
        + column.keyList()
        + (" CROSS JOIN LATERAL (SELECT " + expression + " AS result FROM " + column.quotedTable())
        + (" AS o WHERE " + column.listedRowCondition() + " OFFSET 0) s");
  }

  /**
   * Returns the stored length if there is content; if it is NULL, the length that the server
   * counts.
   */
  private static String keptOr(String counted, String kept, String name) {
    return ("CASE WHEN o." + name + " IS NOT NULL THEN")
        + (" coalesce(o." + kept + ", " + counted + ") END");
  }

  /** Returns all bytes, regardless of the length that the server reports for the value. */
  private static String whole(String bytes, int breakAt) {
    return breakAt == 0
        ? "substring(" + bytes + " FROM 1)"
        : ("substring(" + bytes + " FROM 1 FOR " + breakAt + ") || substring(" + bytes)
            + (" FROM " + (breakAt + 1) + ")");
  }

  private String value(String bytes) {
    return text ? "pg_catalog.convert_from(" + bytes + ", 'UTF8')" : bytes;
  }
}
