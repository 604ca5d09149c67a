package io.pgtoaster.jsonb;

import io.pgtoaster.column.Compression;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.internal.OptionMap;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a column of documents, attached to the toaster {@code keyed}. An option that is not
 * set has the server's default; setting null unsets an option. Immutable. Two objects are equal if
 * they set the same options to the same values.
 */
public final class JsonOptions implements ToasterOptions {
  /** Name of the toaster. */
  public static final String TOASTER = "keyed";

  /** Minimum row budget, in bytes. */
  public static final int MIN_ROW_BUDGET = 256;

  /** Maximum row budget, in bytes. */
  public static final int MAX_ROW_BUDGET = 8000;

  /** Minimum leaf size, in bytes. */
  public static final int MIN_LEAF_SIZE = 512;

  /** Maximum leaf size, in bytes. */
  public static final int MAX_LEAF_SIZE = 65_536;

  /** Minimum fan-out. */
  public static final int MIN_FAN_OUT = 4;

  /** Maximum fan-out. */
  public static final int MAX_FAN_OUT = 512;

  private static final JsonOptions DEFAULTS = new JsonOptions(OptionMap.EMPTY, null);

  /** Treatment of the owner's row when only stored rows change. */
  public enum Touch {
    /** Leaves the row as it is. */
    NONE,
    /** Updates the row, so that triggers, replication and row versions see the change. */
    ROW
  }

  /**
   * Treatment of an UPDATE in plain SQL that leaves a split document unchanged, such as {@code
   * jsonb_set} below a member that is out of line.
   */
  public enum Unchanged {
    /** Succeeds with a warning that explains why nothing changed. */
    WARNING,
    /** Fails with SQLState 23514. */
    ERROR,
    /** Succeeds silently. */
    IGNORE
  }

  private final OptionMap map;
  private final @Nullable List<DocumentPath> keepInline;

  private JsonOptions(OptionMap map, @Nullable List<DocumentPath> keepInline) {
    this.map = map;
    this.keepInline = keepInline;
  }

  /** Returns options that keep all defaults of the server. */
  public static JsonOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with a different row budget: the bytes that the owner's row may reach
   * before members are moved out of it.
   */
  public JsonOptions withRowBudget(@Nullable Integer bytes) {
    return new JsonOptions(
        map.with("row_budget", "rowBudget", bytes, MIN_ROW_BUDGET, MAX_ROW_BUDGET), keepInline);
  }

  /**
   * Returns these options with a different leaf size: the bytes of a leaf before compression. An
   * edit cuts the leaf that it changes into leaves of a quarter of this size. A string of up to 16
   * times this size is one leaf.
   */
  public JsonOptions withLeafSize(@Nullable Integer bytes) {
    return new JsonOptions(
        map.with("leaf_size", "leafSize", bytes, MIN_LEAF_SIZE, MAX_LEAF_SIZE), keepInline);
  }

  /** Returns these options with a different maximum number of children of an inner node. */
  public JsonOptions withFanOut(@Nullable Integer rows) {
    return new JsonOptions(
        map.with("fan_out", "fanOut", rows, MIN_FAN_OUT, MAX_FAN_OUT), keepInline);
  }

  /** Returns these options with different paths of members that stay in the owner's row. */
  public JsonOptions withKeepInline(@Nullable List<DocumentPath> paths) {
    if (paths == null) {
      return new JsonOptions(map.with("keep_inline", null), null);
    }
    String pointers =
        JsonbText.text(Json.toTree(paths.stream().map(DocumentPath::toPointer).toList()));
    return new JsonOptions(map.with("keep_inline", pointers), List.copyOf(paths));
  }

  /**
   * Returns these options with a different compression of stored rows; by default {@link
   * Compression#LZ4} if the server was built with it, otherwise {@link Compression#PGLZ}.
   */
  public JsonOptions withCompression(@Nullable Compression method) {
    return new JsonOptions(map.with("compression", method), keepInline);
  }

  /**
   * Returns these options with a different treatment of the owner's row when only stored rows
   * change.
   */
  public JsonOptions withTouch(@Nullable Touch kind) {
    return new JsonOptions(map.with("touch", kind), keepInline);
  }

  /**
   * Returns these options with a leading key: a column of the row key that is part of every table
   * of the store, such as a tenant. Rows and their documents can then be distributed over servers
   * by this column.
   */
  public JsonOptions withLeadingKey(@Nullable String column) {
    return new JsonOptions(map.with("leading_key", column), keepInline);
  }

  /**
   * Returns these options with a different treatment of an UPDATE of the column in plain SQL that
   * leaves a split document unchanged.
   */
  public JsonOptions withUnchanged(@Nullable Unchanged kind) {
    return new JsonOptions(map.with("unchanged", kind), keepInline);
  }

  /**
   * Returns these options with a key index: the exact name of a unique index of the owner table,
   * used to address rows instead of the primary key.
   */
  public JsonOptions withKeyIndex(@Nullable String index) {
    return new JsonOptions(map.with("key", index), keepInline);
  }

  /**
   * Returns these options with the store's tables in the schema of the owner table, or in {@code
   * pgtoaster}. Use the owner's schema if another role installed the catalog.
   */
  public JsonOptions withInOwnerSchema(@Nullable Boolean on) {
    return new JsonOptions(map.withInOwnerSchema(on), keepInline);
  }

  /** Returns the paths of members that stay in the owner's row; null for the server's default. */
  public @Nullable List<DocumentPath> keepInline() {
    return keepInline;
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
    return other instanceof JsonOptions that && map.equals(that.map);
  }

  @Override
  public int hashCode() {
    return map.hashCode();
  }

  @Override
  public String toString() {
    return "JsonOptions" + map.values();
  }
}
