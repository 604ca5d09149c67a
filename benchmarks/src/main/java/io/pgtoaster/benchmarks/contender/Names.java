package io.pgtoaster.benchmarks.contender;

/** Contenders, as parameters and reports name them. */
public final class Names {
  public static final String BYTEA = "bytea";
  public static final String LARGE_OBJECT = "large object";

  /** A large object in one statement of SQL, where {@link #LARGE_OBJECT} is by the driver. */
  public static final String LARGE_OBJECT_SQL = LARGE_OBJECT + ", SQL";

  /** The same where each append waits for those of others: without it they overwrite each other. */
  public static final String LARGE_OBJECT_LOCKED = LARGE_OBJECT + ", SQL with a lock";

  public static final String BARE_TABLE = "bare table";

  /** COPY into one table for all values, with the key and the index of chunks. */
  public static final String INDEXED_TABLE = "indexed table";

  public static final String CHUNK_TABLES = "chunk tables";
  public static final String EXTENSION = "extension";
  public static final String POSTGRES_PRO = "Postgres Pro";
  public static final String JSONB = "jsonb";
  public static final String JSONB_LZ4 = JSONB + ", lz4";
  public static final String JSONB_EXTERNAL = JSONB + ", external";

  /** jsonb whose rows keep 128 bytes, the least that a table can have. */
  public static final String JSONB_TARGET = JSONB + ", target 128";

  public static final String MONGODB = "MongoDB";
  public static final String COLUMN = "column";
  public static final String HIBERNATE = "Hibernate JSON";
  public static final String HIBERNATE_LZ4 = HIBERNATE + ", lz4";
  public static final String HIBERNATE_EXTERNAL = HIBERNATE + ", external";
  public static final String HYPERSISTENCE = "hypersistence";
  public static final String HYPERSISTENCE_LZ4 = HYPERSISTENCE + ", lz4";
  public static final String HYPERSISTENCE_EXTERNAL = HYPERSISTENCE + ", external";

  private Names() {}

  /** Who it is, of a name that may say behind a comma in which form. */
  public static String who(String name) {
    int comma = name.indexOf(',');
    return comma < 0 ? name : name.substring(0, comma);
  }
}
