package io.pgtoaster.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The servers to measure.
 *
 * @param url URL of a superuser
 * @param mongodbUrl URL of a server with MongoDB's protocol; null if there is none
 * @param durable whether commits wait for the disk
 */
public record Target(String url, @Nullable String mongodbUrl, boolean durable) {
  private static final String FILE = "bench.target";

  /** Returns the target of this process. */
  public static Target current() {
    Path file = Path.of(Objects.requireNonNull(System.getProperty(FILE), FILE));
    return JsonMapper.shared().readValue(file, Target.class);
  }

  /**
   * Makes this the target of this process, and returns the argument that makes it the target of
   * another JVM: the name of a file that only this user can read. It contains passwords, and the
   * list of processes would show them.
   */
  public String use() throws IOException {
    Path file = Files.createTempFile("pgtoaster-bench-", ".json");
    file.toFile().deleteOnExit();
    JsonMapper.shared().writeValue(file, this);
    System.setProperty(FILE, file.toString());
    return "-D" + FILE + "=" + file;
  }

  /** Returns connections to the URL's database, or to another one on the same server. */
  PGSimpleDataSource dataSource(@Nullable String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setSocketFactory(RoundTrips.class.getName());
    if (database != null) {
      source.setDatabaseName(database);
    }
    // A contender's row size decides whether its table is large enough for parallel scans.
    String options = "-c max_parallel_workers_per_gather=0";
    source.setOptions(options + (durable ? "" : " -c synchronous_commit=off"));
    return source;
  }

  /** Opens a session outside the trials. */
  public Connection maintenance() throws SQLException {
    return dataSource(null).getConnection();
  }
}
