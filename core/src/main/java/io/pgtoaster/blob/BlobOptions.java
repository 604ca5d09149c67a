package io.pgtoaster.blob;

import io.pgtoaster.column.Compression;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.internal.OptionMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a column of blobs, attached to the toaster {@code appendable}. An option that is not
 * set has the server's default; setting null unsets an option. Immutable. Two objects are equal if
 * they set the same options to the same values.
 */
public final class BlobOptions implements ToasterOptions {
  /** Name of the toaster. */
  public static final String TOASTER = "appendable";

  /** Minimum chunk size, in bytes. */
  public static final int MIN_CHUNK_SIZE = 512;

  /** Maximum chunk size, in bytes. */
  public static final int MAX_CHUNK_SIZE = 1 << 20;

  /** Maximum length of the tail, in bytes. */
  public static final int MAX_TAIL = 4000;

  private static final BlobOptions DEFAULTS = new BlobOptions(OptionMap.EMPTY);

  private final OptionMap map;

  private BlobOptions(OptionMap map) {
    this.map = map;
  }

  /** Returns options that keep all of the server's defaults. */
  public static BlobOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with a different chunk size: bytes per stored row, for big writes. */
  public BlobOptions withChunkSize(@Nullable Integer bytes) {
    return new BlobOptions(
        map.with("chunk_size", "chunkSize", bytes, MIN_CHUNK_SIZE, MAX_CHUNK_SIZE));
  }

  /**
   * Returns these options with a different tail length: bytes at the end of the blob to keep in its
   * head row, where small appends are cheap.
   */
  public BlobOptions withTail(@Nullable Integer bytes) {
    return new BlobOptions(map.with("tail", "tail", bytes, 0, MAX_TAIL));
  }

  /** Returns these options with or without a CRC32C of each stored row. */
  public BlobOptions withCrc32c(@Nullable Boolean on) {
    return new BlobOptions(map.with("crc32c", on));
  }

  /**
   * Returns these options with a different compression of stored rows, by default {@link
   * Compression#NONE}.
   */
  public BlobOptions withCompression(@Nullable Compression method) {
    return new BlobOptions(map.with("compression", method));
  }

  /**
   * Returns these options with a leading key: a column of the owner table that is the first column
   * of every key of the store, such as a tenant.
   */
  public BlobOptions withLeadingKey(@Nullable String column) {
    return new BlobOptions(map.with("leading_key", column));
  }

  /**
   * Returns these options with a key index: the exact name of a unique index of the owner table,
   * which identifies rows instead of the primary key.
   */
  public BlobOptions withKeyIndex(@Nullable String index) {
    return new BlobOptions(map.with("key", index));
  }

  /** Returns these options with or without notifications of followers by appends. */
  public BlobOptions withNotifyFollowers(@Nullable Boolean on) {
    return new BlobOptions(map.with("notify", on));
  }

  /**
   * Returns these options with the store's tables in the schema of the owner table, or in {@code
   * pgtoaster}. Use the owner's schema if another role installed the catalog.
   */
  public BlobOptions withInOwnerSchema(@Nullable Boolean on) {
    return new BlobOptions(map.withInOwnerSchema(on));
  }

  @Override
  public String toaster() {
    return TOASTER;
  }

  @Override
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
