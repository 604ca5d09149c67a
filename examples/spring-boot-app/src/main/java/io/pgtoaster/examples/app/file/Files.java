package io.pgtoaster.examples.app.file;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

@Component
final class Files {
  private static final String ALL =
      "SELECT id, name, size, coalesce(pgtoaster.blob_length(content), 0) AS stored, upload FROM example_file";

  private static final Set<String> SHOWN = Set.of("image", "audio", "video");

  private final JdbcClient jdbc;
  private final String uploads;

  Files(JdbcClient jdbc, @Value("${pgtoaster.tus.path}") String uploads) {
    this.jdbc = jdbc;
    this.uploads = uploads;
  }

  List<StoredFile> all() {
    return jdbc.sql(ALL + " ORDER BY id DESC").query(this::file).list();
  }

  Optional<StoredFile> find(long id) {
    return jdbc.sql(ALL + " WHERE id = ?").param(id).query(this::file).optional();
  }

  private StoredFile file(ResultSet row, int number) throws SQLException {
    String name = row.getString("name");
    return new StoredFile(
        row.getLong("id"),
        name,
        media(name),
        row.getLong("size"),
        row.getLong("stored"),
        uploads + "/" + row.getString("upload"));
  }

  /** Returns what the browser may display: audio, video, and images that cannot contain scripts. */
  private static String media(String name) {
    MediaType type = MediaTypeFactory.getMediaType(name).orElse(MediaType.APPLICATION_OCTET_STREAM);
    boolean script = type.getSubtype().equals("svg+xml");
    return SHOWN.contains(type.getType()) && !script ? type.getType() : "";
  }
}
