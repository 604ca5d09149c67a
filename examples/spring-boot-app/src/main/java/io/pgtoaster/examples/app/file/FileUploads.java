package io.pgtoaster.examples.app.file;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.spring.tus.TusUpload;
import io.pgtoaster.spring.tus.TusUploads;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/** Creates a row for each upload, with the id of the upload. */
@Component
final class FileUploads implements TusUploads {
  private static final int MAX_NAME = 300;
  private static final int MAX_FILES = 1000;

  private final BlobColumn column;
  private final JdbcClient jdbc;

  FileUploads(PgToaster toaster, JdbcClient jdbc) {
    this.column = toaster.blobs("example_file", "content");
    this.jdbc = jdbc;
  }

  @Override
  public BlobColumn column() {
    return column;
  }

  @Override
  public Object create(TusUpload upload) {
    String name = upload.metadata().getOrDefault("filename", "unnamed");
    if (name.length() > MAX_NAME || upload.length() == null) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "An upload needs a length and a short name.");
    }
    if (jdbc.sql("SELECT pg_catalog.count(*) FROM example_file").query(Long.class).single()
        >= MAX_FILES) {
      throw new ResponseStatusException(
          HttpStatus.INSUFFICIENT_STORAGE, "There are too many files: delete one first.");
    }
    return jdbc.sql("INSERT INTO example_file (name, size, upload) VALUES (?, ?, ?) RETURNING id")
        .params(name, upload.length(), upload.id())
        .query(Long.class)
        .single();
  }

  @Override
  public void terminated(TusUpload upload) {
    jdbc.sql("DELETE FROM example_file WHERE upload = ?").param(upload.id()).update();
  }
}
