package io.pgtoaster.spring.tus;

import io.pgtoaster.column.RowKey;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The table {@code pgtoaster_upload}, which stores everything about uploads except their bytes. */
record UploadTable(JdbcClient jdbc, Duration expireAfter) {
  private static final String COLUMNS =
      "id, row_key, length, metadata, owner, finished_at IS NOT NULL AS finished,"
          + " coalesce(expires_at < pg_catalog.now(), false) AS expired,"
          + " coalesce(expires_at < pg_catalog.now() + pg_catalog.make_interval(secs => ?), false)"
          + " AS aging";

  /**
   * A row.
   *
   * @param upload the upload as the application sees it
   * @param metadata metadata as the client sent it
   * @param expired whether the upload is about to be removed
   * @param aging whether half of its time has passed
   */
  record Row(TusUpload upload, String metadata, boolean expired, boolean aging) {}

  boolean expires() {
    return !expireAfter.isZero() && !expireAfter.isNegative();
  }

  void insert(TusUpload upload, String metadata) {
    jdbc.sql(
            "INSERT INTO pgtoaster_upload (id, row_key, length, metadata, owner, expires_at)"
                + " VALUES (?, CAST(? AS text[]), CAST(? AS bigint), ?, CAST(? AS text), "
                + expiry()
                + ")")
        .param(upload.id())
        .param(upload.row().values().toArray(new String[0]))
        .param(upload.length())
        .param(metadata)
        .param(upload.owner())
        .update();
  }

  Optional<Row> find(UUID id) {
    return jdbc.sql("SELECT " + COLUMNS + " FROM pgtoaster_upload WHERE id = ?")
        .params(half(), id)
        .query(UploadTable::row)
        .optional();
  }

  List<TusUpload> findExpired(int limit) {
    return jdbc.sql(
            "SELECT "
                + COLUMNS
                + " FROM pgtoaster_upload WHERE expires_at < pg_catalog.now() ORDER BY expires_at"
                + " LIMIT ?")
        .params(half(), limit)
        .query((r, number) -> row(r, number).upload())
        .list();
  }

  /**
   * Deletes an expired upload. Returns false if it was already deleted or its expiry was extended.
   */
  boolean deleteExpired(UUID id) {
    return change(
        "DELETE FROM pgtoaster_upload WHERE id = ? AND expires_at < pg_catalog.now()", id);
  }

  /** Sets the length. Returns false if it was already set. */
  boolean setLength(UUID id, long length) {
    return change(
        "UPDATE pgtoaster_upload SET length = ? WHERE id = ? AND length IS NULL", length, id);
  }

  /** Extends the expiry. Returns false if the upload does not exist. */
  boolean touch(UUID id) {
    return expires()
        ? change("UPDATE pgtoaster_upload SET expires_at = " + expiry() + " WHERE id = ?", id)
        : find(id).isPresent();
  }

  /**
   * Marks an upload as complete, and extends its expiry. Returns false if it was already complete
   * or does not exist.
   */
  boolean finish(UUID id) {
    return change(
        "UPDATE pgtoaster_upload SET finished_at = pg_catalog.now(), expires_at = "
            + expiry()
            + " WHERE id = ? AND finished_at IS NULL",
        id);
  }

  boolean delete(UUID id) {
    return change("DELETE FROM pgtoaster_upload WHERE id = ?", id);
  }

  private boolean change(String sql, Object... parameters) {
    return jdbc.sql(sql).params(parameters).update() > 0;
  }

  private double half() {
    return expireAfter.toMillis() / 2000.0;
  }

  private String expiry() {
    return expires()
        ? "pg_catalog.now() + interval '" + Math.max(1, expireAfter.toSeconds()) + " seconds'"
        : "NULL";
  }

  private static Row row(ResultSet r, int number) throws SQLException {
    Array key = r.getArray("row_key");
    @Nullable Long length = r.getObject("length", Long.class);
    String metadata = r.getString("metadata");
    TusUpload upload =
        new TusUpload(
            r.getObject("id", UUID.class),
            new RowKey(List.of((String[]) key.getArray())),
            length,
            Metadata.parse(metadata),
            r.getString("owner"),
            r.getBoolean("finished"));
    return new Row(upload, metadata, r.getBoolean("expired"), r.getBoolean("aging"));
  }
}
