package io.pgtoaster.examples.tenants;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.DocumentColumn;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where the recordings of a tenant are. A handler of a request takes one as a parameter.
 *
 * @param schema in which the table and its stores stand
 * @param sql statements in the database of the tenant
 * @param audio what was recorded
 * @param notes what is said of it
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

  /** The table, for a statement. Names of schemas are letters, digits and {@code _}. */
  String table() {
    return schema + "." + TABLE;
  }
}
