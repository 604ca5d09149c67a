package io.pgtoaster.benchmarks.contender;

/** Contenders, as parameters and reports name them. */
public final class Names {
  public static final String BYTEA = "bytea";
  public static final String LARGE_OBJECT = "large object";
  public static final String BARE_TABLE = "bare table";
  public static final String CHUNK_TABLES = "chunk tables";
  public static final String EXTENSION = "extension";
  public static final String POSTGRES_PRO = "Postgres Pro";
  public static final String JSONB = "jsonb";
  public static final String JSONB_NONE = JSONB + ", none";
  public static final String JSONB_LZ4 = JSONB + ", lz4";
  public static final String COLUMN = "column";
  public static final String HIBERNATE = "Hibernate JSON";
  public static final String HYPERSISTENCE = "hypersistence";

  private Names() {}
}
