package io.pgtoaster.spring.actuate;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spring.actuate.AttachedColumns.Name;
import java.sql.Connection;
import java.util.List;
import java.util.function.Function;

/** The job operations on the content of a column's rows. */
record RowContent(
    AttachedColumn column, Function<RowKey, List<String>> verify, Function<RowKey, Long> compact) {
  static RowContent of(PgToaster toaster, Name name, Connection connection) {
    if (name.isDocument()) {
      var documents = toaster.documents(name.column()).on(connection);
      return new RowContent(ColumnAccess.column(documents), documents::verify, documents::compact);
    }
    var blobs = toaster.blobs(name.column()).on(connection);
    return new RowContent(ColumnAccess.column(blobs), blobs::verify, blobs::compact);
  }
}
