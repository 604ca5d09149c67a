package io.pgtoaster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How an attached column stands. What the catalog does not know of a column is null. */
public sealed interface ColumnStatus permits StatusQuery.StoreStatus {
  /** {@return number of its store} */
  int store();

  /** {@return name of the table's schema; null if the table was dropped} */
  @Nullable String schema();

  /** {@return name of the table; null if it was dropped} */
  @Nullable String table();

  /** {@return name of the column} */
  String column();

  /** {@return name of its toaster} */
  String toaster();

  /** {@return options of the column, by name} */
  Map<String, String> options();

  /** {@return number of blobs, or of documents that are split} */
  @Nullable Long contents();

  /** {@return sum of their sizes; of documents, of what left the rows, uncompressed} */
  @Nullable Long bytes();

  /** {@return number of rows that hold them, about} */
  @Nullable Long storedRows();

  /** {@return size of the store on disk} */
  @Nullable Long tableBytes();

  /** {@return share of dead rows, from 0 to 1} */
  @Nullable Double deadShare();

  /** {@return number of contents that were released and not swept} */
  @Nullable Long garbage();

  /** {@return what should be looked after} */
  List<String> warnings();
}
