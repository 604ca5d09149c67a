package io.pgtoaster.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The servers to measure, as the runner names them to the processes in which JMH measures.
 *
 * @param url of a superuser
 * @param postgresProUrl of a superuser of Postgres Pro's server; null if there is none
 * @param mongodbUrl of MongoDB's server; null if there is none
 * @param durable whether commits wait for the disk
 */
public record Target(
    String url, @Nullable String postgresProUrl, @Nullable String mongodbUrl, boolean durable) {
  private static final String URL = "bench.url";
  private static final String POSTGRES_PRO = "bench.postgrespro";
  private static final String MONGODB = "bench.mongodb";
  private static final String DURABLE = "bench.durable";

  /** The one of this process. */
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
   * What tells another process: the name of a file that only this user may read and that goes with
   * this JVM, since the arguments themselves, with their passwords, are in the list of processes.
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

  /** Quotes an argument as the launcher of Java reads it. */
  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n";
  }

  /** Tells this process, for benchmarks that run in it. */
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

  /** Connections to the database that the URL names, or to another of its server. */
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
    // A table is large enough for it or not by what a contender leaves in its rows.
    String options = "-c max_parallel_workers_per_gather=0";
    source.setOptions(options + (durable ? "" : " -c synchronous_commit=off"));
    return source;
  }

  /** A session beside the trials. */
  public Connection maintenance(Kind kind) throws SQLException {
    return dataSource(kind, null).getConnection();
  }
}
