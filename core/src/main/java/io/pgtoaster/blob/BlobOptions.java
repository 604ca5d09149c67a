package io.pgtoaster.blob;

import io.pgtoaster.internal.OptionMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of an attached column; what is not set takes the server's default, and null unsets.
 * Immutable; two are equal if they set the same.
 */
public final class BlobOptions {
  /** Smallest stored row. */
  public static final int MIN_CHUNK_SIZE = 512;

  /** Largest stored row. */
  public static final int MAX_CHUNK_SIZE = 1 << 20;

  /** Longest tail. */
  public static final int MAX_TAIL = 4000;

  private static final BlobOptions DEFAULTS = new BlobOptions(OptionMap.EMPTY);

  /** How stored rows are compressed. */
  public enum Compression {
    /** Not at all. */
    NONE,
    /** PostgreSQL's own method. */
    PGLZ,
    /** LZ4, where the server was built with it. */
    LZ4
  }

  private final OptionMap map;

  private BlobOptions(OptionMap map) {
    this.map = map;
  }

  /**
   * Returns options that leave everything to the server.
   *
   * @return the defaults
   */
  public static BlobOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with another chunk size.
   *
   * @param bytes per stored row of big writes
   * @return new options
   */
  public BlobOptions withChunkSize(@Nullable Integer bytes) {
    return new BlobOptions(
        map.with("chunk_size", "chunkSize", bytes, MIN_CHUNK_SIZE, MAX_CHUNK_SIZE));
  }

  /**
   * Returns these options with another tail.
   *
   * @param bytes of the blob's end that are kept in its head row, where small appends are cheap
   * @return new options
   */
  public BlobOptions withTail(@Nullable Integer bytes) {
    return new BlobOptions(map.with("tail", "tail", bytes, 0, MAX_TAIL));
  }

  /**
   * Returns these options with checksums or without.
   *
   * @param on whether each stored row carries a CRC32C
   * @return new options
   */
  public BlobOptions withCrc32c(@Nullable Boolean on) {
    return new BlobOptions(map.with("crc32c", on));
  }

  /**
   * Returns these options with another compression.
   *
   * @param method of compression of stored rows
   * @return new options
   */
  public BlobOptions withCompression(@Nullable Compression method) {
    return new BlobOptions(map.with("compression", method));
  }

  /**
   * Returns these options with a leading key.
   *
   * @param column of the owner table that leads every key of the store, such as a tenant
   * @return new options
   */
  public BlobOptions withLeadingKey(@Nullable String column) {
    return new BlobOptions(map.with("leading_key", column));
  }

  /**
   * Returns these options with a key index.
   *
   * @param index exact name of a unique index of the owner table, which addresses rows instead of
   *     the primary key
   * @return new options
   */
  public BlobOptions withKeyIndex(@Nullable String index) {
    return new BlobOptions(map.with("key", index));
  }

  /**
   * Returns these options with notifications or without.
   *
   * @param on whether appends notify followers
   * @return new options
   */
  public BlobOptions withNotifyFollowers(@Nullable Boolean on) {
    return new BlobOptions(map.with("notify", on));
  }

  /**
   * Returns these options with the store's tables in the schema of the owner table, or in {@code
   * pgtoaster}. A role that did not install the catalog attaches its tables so.
   *
   * @param on whether in the schema of the owner table
   * @return new options
   */
  public BlobOptions withInOwnerSchema(@Nullable Boolean on) {
    return new BlobOptions(map.withInOwnerSchema(on));
  }

  /**
   * Returns what is set, under the names of the catalog.
   *
   * @return options by name
   */
  public Map<String, String> toMap() {
    return map.values();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlobOptions that && map.equals(that.map);
  }

  @Override
  public int hashCode() {
    return map.hashCode();
  }

  @Override
  public String toString() {
    return "BlobOptions" + map.values();
  }
}
