package io.pgtoaster.jdbi;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The columns that were used, so that a new handle does not look them up in the catalog again. */
final class Columns {
  private final PgToaster toaster;
  private final Map<ColumnName, BlobColumn> blobs = new ConcurrentHashMap<>();
  private final Map<ColumnName, DocumentColumn> documents = new ConcurrentHashMap<>();

  Columns(PgToaster toaster) {
    this.toaster = toaster;
  }

  BlobColumn blobs(ColumnName column) {
    return blobs.computeIfAbsent(column, toaster::blobs);
  }

  DocumentColumn documents(ColumnName column) {
    return documents.computeIfAbsent(column, toaster::documents);
  }
}
