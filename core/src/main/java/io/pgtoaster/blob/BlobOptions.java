package io.pgtoaster.blob;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of an attached column. What is null takes the server's default.
 *
 * @param chunkSize bytes per stored row of big writes
 * @param tail bytes of the blob's end that are kept in its head row, where small appends are cheap
 * @param crc32c whether each stored row carries a CRC32C
 * @param compression of stored rows
 * @param leadingKey column of the owner table that leads every key of the store, such as a tenant
 * @param keyIndex unique index that addresses rows instead of the primary key
 * @param notifyFollowers whether appends notify followers
 * @param inOwnerSchema whether the store's tables are made in the schema of the owner table, and
 *     not in {@code pgtoaster}
 */
public record BlobOptions(
    @Nullable Integer chunkSize,
    @Nullable Integer tail,
    @Nullable Boolean crc32c,
    @Nullable Compression compression,
    @Nullable String leadingKey,
    @Nullable String keyIndex,
    @Nullable Boolean notifyFollowers,
    @Nullable Boolean inOwnerSchema) {
  /** Smallest stored row. */
  public static final int MIN_CHUNK_SIZE = 512;

  /** Largest stored row. */
  public static final int MAX_CHUNK_SIZE = 1 << 20;

  /** Longest tail. */
  public static final int MAX_TAIL = 4000;

  private static final BlobOptions DEFAULTS =
      new BlobOptions(null, null, null, null, null, null, null, null);

  /** How stored rows are compressed. */
  public enum Compression {
    /** Not at all. */
    NONE,
    /** By PostgreSQL's own method. */
    PGLZ,
    /** By LZ4, where the server was built with it. */
    LZ4
  }

  /**
   * Checks the numbers.
   *
   * @param chunkSize as the component says
   * @param tail as the component says
   * @param crc32c as the component says
   * @param compression as the component says
   * @param leadingKey as the component says
   * @param keyIndex as the component says
   * @param notifyFollowers as the component says
   * @param inOwnerSchema as the component says
   */
  public BlobOptions {
    if (chunkSize != null && (chunkSize < MIN_CHUNK_SIZE || chunkSize > MAX_CHUNK_SIZE)) {
      throw new IllegalArgumentException(
          "chunkSize %s is not between %s and %s"
              .formatted(chunkSize, MIN_CHUNK_SIZE, MAX_CHUNK_SIZE));
    }
    if (tail != null && (tail < 0 || tail > MAX_TAIL)) {
      throw new IllegalArgumentException("tail " + tail + " is not between 0 and " + MAX_TAIL);
    }
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
   * @param bytes per stored row
   * @return new options
   */
  public BlobOptions withChunkSize(int bytes) {
    return new BlobOptions(
        bytes, tail, crc32c, compression, leadingKey, keyIndex, notifyFollowers, inOwnerSchema);
  }

  /**
   * Returns these options with another tail.
   *
   * @param bytes in the head row
   * @return new options
   */
  public BlobOptions withTail(int bytes) {
    return new BlobOptions(
        chunkSize,
        bytes,
        crc32c,
        compression,
        leadingKey,
        keyIndex,
        notifyFollowers,
        inOwnerSchema);
  }

  /**
   * Returns these options with checksums or without.
   *
   * @param on whether each stored row carries a CRC32C
   * @return new options
   */
  public BlobOptions withCrc32c(boolean on) {
    return new BlobOptions(
        chunkSize, tail, on, compression, leadingKey, keyIndex, notifyFollowers, inOwnerSchema);
  }

  /**
   * Returns these options with another compression.
   *
   * @param method of compression
   * @return new options
   */
  public BlobOptions withCompression(Compression method) {
    return new BlobOptions(
        chunkSize, tail, crc32c, method, leadingKey, keyIndex, notifyFollowers, inOwnerSchema);
  }

  /**
   * Returns these options with a leading key.
   *
   * @param column of the owner table
   * @return new options
   */
  public BlobOptions withLeadingKey(String column) {
    return new BlobOptions(
        chunkSize, tail, crc32c, compression, column, keyIndex, notifyFollowers, inOwnerSchema);
  }

  /**
   * Returns these options with a key index.
   *
   * @param index exact name of a unique index of the owner table
   * @return new options
   */
  public BlobOptions withKeyIndex(String index) {
    return new BlobOptions(
        chunkSize, tail, crc32c, compression, leadingKey, index, notifyFollowers, inOwnerSchema);
  }

  /**
   * Returns these options with notifications or without.
   *
   * @param on whether appends notify followers
   * @return new options
   */
  public BlobOptions withNotifyFollowers(boolean on) {
    return new BlobOptions(
        chunkSize, tail, crc32c, compression, leadingKey, keyIndex, on, inOwnerSchema);
  }

  /**
   * Returns these options with the store's tables in the schema of the owner table, or in {@code
   * pgtoaster}. A role that did not install the catalog attaches its tables so.
   *
   * @param on whether in the schema of the owner table
   * @return new options
   */
  public BlobOptions withInOwnerSchema(boolean on) {
    return new BlobOptions(
        chunkSize, tail, crc32c, compression, leadingKey, keyIndex, notifyFollowers, on);
  }

  /**
   * Returns what is not null, under the names of the catalog.
   *
   * @return options by name
   */
  public Map<String, String> toMap() {
    Map<String, String> map = new LinkedHashMap<>();
    put(map, "chunk_size", chunkSize);
    put(map, "tail", tail);
    put(map, "crc32c", crc32c);
    put(map, "compression", compression == null ? null : compression.name());
    put(map, "notify", notifyFollowers);
    put(map, "store_schema", inOwnerSchema == null ? null : inOwnerSchema ? "owner" : "pgtoaster");
    map.replaceAll((name, value) -> value.toLowerCase(Locale.ROOT));
    put(map, "leading_key", leadingKey);
    put(map, "key", keyIndex);
    return map;
  }

  private static void put(Map<String, String> map, String name, @Nullable Object value) {
    if (value != null) {
      map.put(name, value.toString());
    }
  }
}
