package io.pgtoaster.benchmarks.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The servers to measure, as the runner names them to the processes in which JMH measures.
 *
 * @param url of a superuser
 * @param postgresProUrl of a superuser of Postgres Pro's server; null if there is none
 * @param durable whether commits wait for the disk
 */
public record Target(String url, @Nullable String postgresProUrl, boolean durable) {
  private static final String URL = "bench.url";
  private static final String POSTGRES_PRO = "bench.postgrespro";
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
        Boolean.parseBoolean(System.getProperty(DURABLE, "true")));
  }

  /** What tells another process. */
  public List<String> jvmArguments() {
    List<String> arguments = new ArrayList<>(List.of("-D" + URL + "=" + url));
    arguments.add("-D" + DURABLE + "=" + durable);
    if (postgresProUrl != null) {
      arguments.add("-D" + POSTGRES_PRO + "=" + postgresProUrl);
    }
    return arguments;
  }

  /** Tells this process, for benchmarks that run in it. */
  public void use() {
    System.setProperty(URL, url);
    System.setProperty(DURABLE, Boolean.toString(durable));
    if (postgresProUrl == null) {
      System.clearProperty(POSTGRES_PRO);
    } else {
      System.setProperty(POSTGRES_PRO, postgresProUrl);
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
    if (database != null) {
      source.setDatabaseName(database);
    }
    if (!durable) {
      source.setOptions("-c synchronous_commit=off");
    }
    return source;
  }

  /** A session beside the trials. */
  public Connection maintenance(Kind kind) throws SQLException {
    return dataSource(kind, null).getConnection();
  }
}
