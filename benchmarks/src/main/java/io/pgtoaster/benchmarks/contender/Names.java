package io.pgtoaster.benchmarks.contender;

/** Names of contenders in parameters and reports. */
public final class Names {
  public static final String BYTEA = "bytea";
  public static final String LARGE_OBJECT = "large object";

  /**
   * A large object, with one SQL statement per operation. {@link #LARGE_OBJECT} uses the driver.
   */
  public static final String LARGE_OBJECT_SQL = LARGE_OBJECT + ", SQL";

  /** {@link #LARGE_OBJECT_SQL} with a lock: without it, concurrent appends overwrite each other. */
  public static final String LARGE_OBJECT_LOCKED = LARGE_OBJECT + ", SQL with a lock";

  /** COPY into one table for all values, with the key and the index of chunks. */
  public static final String INDEXED_TABLE = "indexed table";

  public static final String CHUNK_TABLES = "chunk tables";
  public static final String EXTENSION = "extension";
  public static final String POSTGRES_PRO = "Postgres Pro";
  public static final String JSONB = "jsonb";
  public static final String JSONB_LZ4 = JSONB + ", lz4";
  public static final String JSONB_EXTERNAL = JSONB + ", external";

  public static final String MONGODB = "MongoDB";

  /** MongoDB's protocol over PostgreSQL. */
  public static final String FERRETDB = "FerretDB";

  public static final String HIBERNATE = "Hibernate JSON";
  public static final String HIBERNATE_LZ4 = HIBERNATE + ", lz4";
  public static final String HIBERNATE_EXTERNAL = HIBERNATE + ", external";
  public static final String HYPERSISTENCE = "hypersistence";
  public static final String HYPERSISTENCE_LZ4 = HYPERSISTENCE + ", lz4";
  public static final String HYPERSISTENCE_EXTERNAL = HYPERSISTENCE + ", external";

  private Names() {}

  /** Returns whether a contender is accessed through MongoDB's protocol. */
  public static boolean speaksMongo(String name) {
    return name.equals(MONGODB) || name.equals(FERRETDB);
  }

  /** Returns a name without the variant that may follow a comma. */
  public static String who(String name) {
    int comma = name.indexOf(',');
    return comma < 0 ? name : name.substring(0, comma);
  }
}
