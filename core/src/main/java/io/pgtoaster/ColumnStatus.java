package io.pgtoaster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The status of an attached column. Values that the catalog does not know are null. */
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

  /** {@return number of blobs, or of split documents} */
  @Nullable Long contents();

  /**
   * {@return sum of their sizes in bytes; for documents, the uncompressed size of what is out of
   * line}
   */
  @Nullable Long bytes();

  /** {@return approximate number of rows that store them} */
  @Nullable Long storedRows();

  /** {@return size of the store on disk, in bytes} */
  @Nullable Long tableBytes();

  /** {@return share of dead rows, from 0 to 1} */
  @Nullable Double deadShare();

  /** {@return number of contents that were released and are not deleted yet} */
  @Nullable Long garbage();

  /** {@return problems that need attention} */
  List<String> warnings();
}
