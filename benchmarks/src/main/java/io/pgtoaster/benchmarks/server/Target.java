package io.pgtoaster.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The servers to measure.
 *
 * @param url URL of a superuser
 * @param postgresProUrl URL of a superuser on Postgres Pro's server; null if there is none
 * @param mongodbUrl URL of MongoDB's server; null if there is none
 * @param durable whether commits wait for the disk
 */
public record Target(
    String url, @Nullable String postgresProUrl, @Nullable String mongodbUrl, boolean durable) {
  private static final String URL = "bench.url";
  private static final String POSTGRES_PRO = "bench.postgrespro";
  private static final String MONGODB = "bench.mongodb";
  private static final String DURABLE = "bench.durable";

  /** Returns the target of this process. */
  public static Target current() {
    String url = System.getProperty(URL);
    if (url == null) {
      throw new IllegalStateException("no -D" + URL + "=jdbc:postgresql://...");
    }
    return new Target(
        url,
        System.getProperty(POSTGRES_PRO),
        System.getProperty(MONGODB),
        Boolean.parseBoolean(System.getProperty(DURABLE, "true")));
  }

  /**
   * Returns the argument that passes this target to another JVM: the name of a file that only this
   * user can read and that is deleted with this JVM. The arguments contain passwords, and the list
   * of processes would show them.
   */
  public String jvmArgument() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(quoted("-D" + URL + "=" + url));
    text.append(quoted("-D" + DURABLE + "=" + durable));
    if (postgresProUrl != null) {
      text.append(quoted("-D" + POSTGRES_PRO + "=" + postgresProUrl));
    }
    if (mongodbUrl != null) {
      text.append(quoted("-D" + MONGODB + "=" + mongodbUrl));
    }
    Path file = Files.createTempFile("pgtoaster-bench-", ".args");
    file.toFile().deleteOnExit();
    Files.writeString(file, text);
    return "@" + file;
  }

  /** Quotes an argument for the Java launcher. */
  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n";
  }

  /** Makes this the target of this process. */
  public void use() {
    System.setProperty(URL, url);
    System.setProperty(DURABLE, Boolean.toString(durable));
    use(POSTGRES_PRO, postgresProUrl);
    use(MONGODB, mongodbUrl);
  }

  private static void use(String property, @Nullable String value) {
    if (value == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }

  /** Returns connections to the URL's database, or to another one on the same server. */
  PGSimpleDataSource dataSource(Kind kind, @Nullable String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    String where = kind == Kind.POSTGRES_PRO ? postgresProUrl : url;
    if (where == null) {
      throw new IllegalStateException("no URL of Postgres Pro's server");
    }
    source.setUrl(where);
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
  public Connection maintenance(Kind kind) throws SQLException {
    return dataSource(kind, null).getConnection();
  }
}
