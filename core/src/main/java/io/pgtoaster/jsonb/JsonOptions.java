package io.pgtoaster.jsonb;

import io.pgtoaster.internal.OptionMap;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonbText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of an attached column of documents; what is not set takes the server's default, and null
 * unsets. Immutable; two are equal if they set the same.
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

  /** How stored rows are compressed. */
  public enum Compression {
    /** Not at all. */
    NONE,
    /** PostgreSQL's own method. */
    PGLZ,
    /** LZ4, where the server was built with it. */
    LZ4
  }

  /** What becomes of the owner's row when only stored rows change. */
  public enum Touch {
    /** It stays as it is. */
    NONE,
    /** It is updated, so that triggers, replication and row versions see the change. */
    ROW
  }

  /**
   * What an UPDATE by plain SQL is that leaves a split document as it was, such as {@code
   * jsonb_set} below a member that is out of line.
   */
  public enum Unchanged {
    /** Done, with a warning that says why nothing changed. */
    WARNING,
    /** Refused, with SQLState 23514. */
    ERROR,
    /** Done without a word. */
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
   * @param bytes that the owner's row may have before members are moved out of it
   * @return new options
   */
  public JsonOptions withRowBudget(@Nullable Integer bytes) {
    return new JsonOptions(
        map.with("row_budget", "rowBudget", bytes, MIN_ROW_BUDGET, MAX_ROW_BUDGET), keepInline);
  }

  /**
   * Returns these options with another leaf size.
   *
   * @param bytes of a stored row of members that are out of line, before compression; an edit cuts
   *     the one that it changes into quarters; a string of up to 16 times as much is one row
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
   * Returns these options with other paths that stay in line.
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
   * @param method of compression of stored rows; by default LZ4 where the server was built with it,
   *     else PGLZ
   * @return new options
   */
  public JsonOptions withCompression(@Nullable Compression method) {
    return new JsonOptions(map.with("compression", method), keepInline);
  }

  /**
   * Returns these options with another touch.
   *
   * @param kind what becomes of the owner's row when only stored rows change
   * @return new options
   */
  public JsonOptions withTouch(@Nullable Touch kind) {
    return new JsonOptions(map.with("touch", kind), keepInline);
  }

  /**
   * Returns these options with a leading key.
   *
   * @param column of the row key that every table of the store carries, such as a tenant, so that
   *     rows and their documents can be spread over servers by it
   * @return new options
   */
  public JsonOptions withLeadingKey(@Nullable String column) {
    return new JsonOptions(map.with("leading_key", column), keepInline);
  }

  /**
   * Returns these options with another treatment of an UPDATE that leaves a document as it was.
   *
   * @param kind what an UPDATE of the column by plain SQL is that leaves a split document so
   * @return new options
   */
  public JsonOptions withUnchanged(@Nullable Unchanged kind) {
    return new JsonOptions(map.with("unchanged", kind), keepInline);
  }

  /**
   * Returns these options with a key index.
   *
   * @param index exact name of a unique index of the owner table, which addresses rows instead of
   *     the primary key
   * @return new options
   */
  public JsonOptions withKeyIndex(@Nullable String index) {
    return new JsonOptions(map.with("key", index), keepInline);
  }

  /**
   * Returns these options with the store's tables in the schema of the owner table, or in {@code
   * pgtoaster}. A role that did not install the catalog attaches its tables so.
   *
   * @param on whether in the schema of the owner table
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
   * Returns what is set, under the names of the catalog.
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
