package io.pgtoaster.jsonb;

import io.pgtoaster.internal.OptionMap;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonbText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of an attached column of documents. An option that is not set has the server's default;
 * pass null to unset one. Immutable; two objects are equal if they set the same options.
 */
public final class JsonOptions {
  /** Smallest row budget. */
  public static final int MIN_ROW_BUDGET = 256;

  /** Largest row budget. */
  public static final int MAX_ROW_BUDGET = 8000;

  /** Smallest leaf. */
  public static final int MIN_LEAF_SIZE = 512;

  /** Largest leaf. */
  public static final int MAX_LEAF_SIZE = 65_536;

  /** Smallest fan-out. */
  public static final int MIN_FAN_OUT = 4;

  /** Largest fan-out. */
  public static final int MAX_FAN_OUT = 512;

  private static final JsonOptions DEFAULTS = new JsonOptions(OptionMap.EMPTY, null);

  /** Compression of stored rows. */
  public enum Compression {
    /** Does not compress. */
    NONE,
    /** Uses PostgreSQL's own method. */
    PGLZ,
    /** Uses LZ4, which the server must have been built with. */
    LZ4
  }

  /** Treatment of the owner's row when only stored rows change. */
  public enum Touch {
    /** Leaves the row as it is. */
    NONE,
    /** Updates the row, so that triggers, replication and row versions see the change. */
    ROW
  }

  /**
   * Treatment of an UPDATE by plain SQL that leaves a split document unchanged, such as {@code
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

  /**
   * Returns options that leave everything to the server.
   *
   * @return the defaults
   */
  public static JsonOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with another row budget.
   *
   * @param bytes that the owner's row may reach before members are moved out of it
   * @return new options
   */
  public JsonOptions withRowBudget(@Nullable Integer bytes) {
    return new JsonOptions(
        map.with("row_budget", "rowBudget", bytes, MIN_ROW_BUDGET, MAX_ROW_BUDGET), keepInline);
  }

  /**
   * Returns these options with another leaf size.
   *
   * @param bytes of a stored row of out-of-line members, before compression. An edit cuts the row
   *     that it changes into quarters. A string of up to 16 times this size is one row
   * @return new options
   */
  public JsonOptions withLeafSize(@Nullable Integer bytes) {
    return new JsonOptions(
        map.with("leaf_size", "leafSize", bytes, MIN_LEAF_SIZE, MAX_LEAF_SIZE), keepInline);
  }

  /**
   * Returns these options with another fan-out.
   *
   * @param rows that one stored row may lead to
   * @return new options
   */
  public JsonOptions withFanOut(@Nullable Integer rows) {
    return new JsonOptions(
        map.with("fan_out", "fanOut", rows, MIN_FAN_OUT, MAX_FAN_OUT), keepInline);
  }

  /**
   * Returns these options with other paths to keep in line.
   *
   * @param paths of members that stay in the owner's row
   * @return new options
   */
  public JsonOptions withKeepInline(@Nullable List<DocumentPath> paths) {
    if (paths == null) {
      return new JsonOptions(map.with("keep_inline", null), null);
    }
    String pointers =
        JsonbText.text(Json.toTree(paths.stream().map(DocumentPath::toPointer).toList()));
    return new JsonOptions(map.with("keep_inline", pointers), List.copyOf(paths));
  }

  /**
   * Returns these options with another compression.
   *
   * @param method of compression of stored rows; by default LZ4 if the server was built with it,
   *     else PGLZ
   * @return new options
   */
  public JsonOptions withCompression(@Nullable Compression method) {
    return new JsonOptions(map.with("compression", method), keepInline);
  }

  /**
   * Returns these options with another touch.
   *
   * @param kind treatment of the owner's row when only stored rows change
   * @return new options
   */
  public JsonOptions withTouch(@Nullable Touch kind) {
    return new JsonOptions(map.with("touch", kind), keepInline);
  }

  /**
   * Returns these options with a leading key.
   *
   * @param column of the row key that is part of every table of the store, such as a tenant; rows
   *     and their documents can then be distributed over servers by it
   * @return new options
   */
  public JsonOptions withLeadingKey(@Nullable String column) {
    return new JsonOptions(map.with("leading_key", column), keepInline);
  }

  /**
   * Returns these options with another treatment of an UPDATE that leaves a document unchanged.
   *
   * @param kind treatment of an UPDATE of the column by plain SQL that leaves a split document
   *     unchanged
   * @return new options
   */
  public JsonOptions withUnchanged(@Nullable Unchanged kind) {
    return new JsonOptions(map.with("unchanged", kind), keepInline);
  }

  /**
   * Returns these options with a key index.
   *
   * @param index exact name of a unique index of the owner table, used to address rows instead of
   *     the primary key
   * @return new options
   */
  public JsonOptions withKeyIndex(@Nullable String index) {
    return new JsonOptions(map.with("key", index), keepInline);
  }

  /**
   * Returns these options with the store's tables in the schema of the owner table, or in {@code
   * pgtoaster}. A role that did not install the catalog needs the former to attach its tables.
   *
   * @param on whether to use the schema of the owner table
   * @return new options
   */
  public JsonOptions withInOwnerSchema(@Nullable Boolean on) {
    return new JsonOptions(map.withInOwnerSchema(on), keepInline);
  }

  /**
   * Returns the paths of members that stay in the owner's row.
   *
   * @return paths, or null for the server's default
   */
  public @Nullable List<DocumentPath> keepInline() {
    return keepInline;
  }

  /**
   * Returns the options that are set, under the names of the catalog.
   *
   * @return options by name
   */
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
