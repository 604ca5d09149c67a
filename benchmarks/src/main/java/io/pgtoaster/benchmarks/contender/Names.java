package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import java.sql.SQLException;

/**
 * Names of contenders in parameters and reports. The form of a peer may follow a comma, such as
 * {@code jsonb, lz4}.
 */
public final class Names {
  public static final String BYTEA = "bytea";

  /** Through the driver. */
  public static final String LARGE_OBJECT = "large object";

  /** With one SQL statement per operation. */
  public static final String LARGE_OBJECT_SQL = LARGE_OBJECT + ", SQL";

  /** The same with a lock, because concurrent appends without one overwrite each other. */
  public static final String LARGE_OBJECT_LOCKED = LARGE_OBJECT + ", SQL with a lock";

  /** COPY into one table for all values, with the key and the index of chunks. */
  public static final String INDEXED_TABLE = "indexed table";

  public static final String CHUNK_TABLES = "chunk tables";
  public static final String EXTENSION = "extension";
  public static final String JSONB = "jsonb";
  public static final String MONGODB = "MongoDB";

  /** MongoDB's protocol over PostgreSQL. */
  public static final String FERRETDB = "FerretDB";

  public static final String HIBERNATE = "Hibernate JSON";
  public static final String HYPERSISTENCE = "hypersistence";

  private Names() {}

  /** Returns whether a contender is accessed through MongoDB's protocol. */
  public static boolean speaksMongo(String name) {
    return name.equals(MONGODB) || name.equals(FERRETDB);
  }

  /** Returns a name without the form that may follow a comma. */
  public static String who(String name) {
    int comma = name.indexOf(',');
    return comma < 0 ? name : name.substring(0, comma);
  }

  /** Returns the compression in the form of a contender: none, pglz or lz4. */
  public static String compression(String name, String otherwise) {
    return name.endsWith(", lz4") ? "lz4" : name.endsWith(", external") ? "none" : otherwise;
  }

  /** Sets the compression of a column of a stock table; empty for the server's default. */
  public static void store(Database database, String table, String column, String compression)
      throws SQLException {
    if (!compression.isEmpty()) {
      database.run(
          "ALTER TABLE %s ALTER COLUMN %s SET %s"
              .formatted(
                  table,
                  column,
                  compression.equals("none") ? "STORAGE EXTERNAL" : "COMPRESSION " + compression));
    }
  }
}
