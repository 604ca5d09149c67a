package io.pgtoaster.examples.tenants;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.DocumentColumn;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The location of a tenant's recordings. Request handlers take it as a parameter.
 *
 * @param schema schema of the table and its stores
 * @param sql client for the tenant's database
 * @param audio the recordings
 * @param notes notes about the recordings
 */
record Tenant(String schema, JdbcClient sql, BlobColumn audio, DocumentColumn notes) {
  static final String TABLE = "recording";

  static Tenant of(String schema, JdbcClient sql, PgToaster toaster) {
    return new Tenant(
        schema,
        sql,
        toaster.blobs(ColumnName.of(schema, TABLE, "audio")),
        toaster.documents(ColumnName.of(schema, TABLE, "notes")));
  }

  /**
   * Returns the qualified name of the table. Schema names contain only letters, digits and {@code
   * _}.
   */
  String table() {
    return schema + "." + TABLE;
  }
}
