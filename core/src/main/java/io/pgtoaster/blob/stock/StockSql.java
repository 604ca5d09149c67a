package io.pgtoaster.blob.stock;

import io.pgtoaster.column.AttachedColumn;

/** The statements over one stock column. Key parameters come last, unless said otherwise. */
final class StockSql {
  /** The longest value: 1 GB less one byte, less the four bytes of its header. */
  static final long MAX_LENGTH = 0x3FFF_FFFF - 4;

  final String place;
  final boolean text;

  /** Length, null if the column is NULL. */
  final String length;

  /** The same; locks the row. */
  final String lock;

  /** Length and bytes of a range; parameters: position from 1, count. */
  final String read;

  /** Appends; parameters: bytes. */
  final String append;

  /**
   * Appends if the value has room and the expected length; parameters: bytes, key, highest length
   * before, expected length or null twice.
   */
  final String tryAppend;

  /** Overwrites; parameters: bytes, position from 1, count. */
  final String overwrite;

  /** Cuts; parameters: length. */
  final String truncate;

  /** Copies into an empty column; parameters: key of the source, key of the target. */
  final String copy;

  StockSql(AttachedColumn column, boolean text) {
    this.text = text;
    this.place = column.describe();
    String table = column.quotedTable() + " AS o";
    String name = column.quotedColumn();
    String row = " WHERE " + column.rowCondition();
    String octets = "octet_length(o." + name + ")";
    String bytes = text ? "convert_to(o." + name + ", 'UTF8')" : "o." + name;
    String set = "UPDATE " + table + " SET " + name + " = ";
    String appended = set + "coalesce(o." + name + ", '') || " + value("CAST(? AS bytea)") + row;
    this.length = "SELECT " + octets + " FROM " + table + row;
    this.lock = length + " FOR NO KEY UPDATE";
    this.read = "SELECT " + octets + ", substring(" + bytes + " FROM ? FOR ?) FROM " + table + row;
    this.append = appended;
    this.tryAppend =
        appended
            + (" AND coalesce(" + octets + ", 0) <= ?")
            + (" AND (CAST(? AS bigint) IS NULL OR coalesce(" + octets + ", 0) = ?)")
            + (" RETURNING " + octets);
    this.overwrite =
        set + value("overlay(" + bytes + " PLACING CAST(? AS bytea) FROM ? FOR ?)") + row;
    this.truncate = set + value("substring(" + bytes + " FROM 1 FOR ?)") + row;
    this.copy = set + "(SELECT o." + name + " FROM " + table + row + ")" + row;
  }

  private String value(String bytes) {
    return text ? "convert_from(" + bytes + ", 'UTF8')" : bytes;
  }
}
