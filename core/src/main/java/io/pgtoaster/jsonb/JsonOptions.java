package io.pgtoaster.jsonb;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of an attached column of documents. What is null takes the server's default.
 *
 * @param rowBudget bytes that the owner's row may have before members leave it
 * @param leafSize bytes of a stored row of members that have left, before compression; an edit cuts
 *     the one that it changes into quarters; a string of up to 16 times as much is one row
 * @param fanOut stored rows that one stored row may lead to
 * @param keepInline paths of members that never leave the owner's row
 * @param compression of stored rows
 * @param touch whether the owner's row is updated also when only stored rows change
 * @param unchanged what an UPDATE of the column by plain SQL is that leaves a split document as it
 *     was
 * @param keyIndex unique index that addresses rows instead of the primary key
 * @param inOwnerSchema whether the store's tables are made in the schema of the owner table, and
 *     not in {@code pgtoaster}
 */
public record JsonOptions(
    @Nullable Integer rowBudget,
    @Nullable Integer leafSize,
    @Nullable Integer fanOut,
    @Nullable List<DocumentPath> keepInline,
    @Nullable Compression compression,
    @Nullable Touch touch,
    @Nullable Unchanged unchanged,
    @Nullable String keyIndex,
    @Nullable Boolean inOwnerSchema) {
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

  private static final JsonOptions DEFAULTS =
      new JsonOptions(null, null, null, null, null, null, null, null, null);

  /** How stored rows are compressed. */
  public enum Compression {
    /** Not at all. */
    NONE,
    /** By PostgreSQL's own method. */
    PGLZ,
    /** By LZ4, where the server was built with it. */
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
   * jsonb_set} below a member that has left.
   */
  public enum Unchanged {
    /** Done, with a warning that says why nothing changed. */
    WARNING,
    /** Refused, with SQLState 23514. */
    ERROR,
    /** Done without a word. */
    IGNORE
  }

  /**
   * Checks the numbers.
   *
   * @param rowBudget as the component says
   * @param leafSize as the component says
   * @param fanOut as the component says
   * @param keepInline as the component says
   * @param compression as the component says
   * @param touch as the component says
   * @param unchanged as the component says
   * @param keyIndex as the component says
   * @param inOwnerSchema as the component says
   */
  public JsonOptions {
    check("rowBudget", rowBudget, MIN_ROW_BUDGET, MAX_ROW_BUDGET);
    check("leafSize", leafSize, MIN_LEAF_SIZE, MAX_LEAF_SIZE);
    check("fanOut", fanOut, MIN_FAN_OUT, MAX_FAN_OUT);
    keepInline = keepInline == null ? null : List.copyOf(keepInline);
  }

  private static void check(String name, @Nullable Integer number, int least, int most) {
    if (number != null && (number < least || number > most)) {
      throw new IllegalArgumentException(
          name + " " + number + " is not between " + least + " and " + most);
    }
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
   * @param bytes of the owner's row
   * @return new options
   */
  public JsonOptions withRowBudget(int bytes) {
    return new JsonOptions(
        bytes,
        leafSize,
        fanOut,
        keepInline,
        compression,
        touch,
        unchanged,
        keyIndex,
        inOwnerSchema);
  }

  /**
   * Returns these options with another leaf size.
   *
   * @param bytes per stored row
   * @return new options
   */
  public JsonOptions withLeafSize(int bytes) {
    return new JsonOptions(
        rowBudget,
        bytes,
        fanOut,
        keepInline,
        compression,
        touch,
        unchanged,
        keyIndex,
        inOwnerSchema);
  }

  /**
   * Returns these options with another fan-out.
   *
   * @param rows that one stored row may lead to
   * @return new options
   */
  public JsonOptions withFanOut(int rows) {
    return new JsonOptions(
        rowBudget,
        leafSize,
        rows,
        keepInline,
        compression,
        touch,
        unchanged,
        keyIndex,
        inOwnerSchema);
  }

  /**
   * Returns these options with other paths that stay in line.
   *
   * @param paths of members that never leave the owner's row
   * @return new options
   */
  public JsonOptions withKeepInline(List<DocumentPath> paths) {
    return new JsonOptions(
        rowBudget, leafSize, fanOut, paths, compression, touch, unchanged, keyIndex, inOwnerSchema);
  }

  /**
   * Returns these options with another compression.
   *
   * @param method of compression
   * @return new options
   */
  public JsonOptions withCompression(Compression method) {
    return new JsonOptions(
        rowBudget, leafSize, fanOut, keepInline, method, touch, unchanged, keyIndex, inOwnerSchema);
  }

  /**
   * Returns these options with another touch.
   *
   * @param kind what becomes of the owner's row
   * @return new options
   */
  public JsonOptions withTouch(Touch kind) {
    return new JsonOptions(
        rowBudget,
        leafSize,
        fanOut,
        keepInline,
        compression,
        kind,
        unchanged,
        keyIndex,
        inOwnerSchema);
  }

  /**
   * Returns these options with another treatment of an UPDATE that leaves a document as it was.
   *
   * @param kind what such an UPDATE is
   * @return new options
   */
  public JsonOptions withUnchanged(Unchanged kind) {
    return new JsonOptions(
        rowBudget, leafSize, fanOut, keepInline, compression, touch, kind, keyIndex, inOwnerSchema);
  }

  /**
   * Returns these options with a key index.
   *
   * @param index exact name of a unique index of the owner table
   * @return new options
   */
  public JsonOptions withKeyIndex(String index) {
    return new JsonOptions(
        rowBudget,
        leafSize,
        fanOut,
        keepInline,
        compression,
        touch,
        unchanged,
        index,
        inOwnerSchema);
  }

  /**
   * Returns these options with the store's tables in the schema of the owner table, or in {@code
   * pgtoaster}. A role that did not install the catalog attaches its tables so.
   *
   * @param on whether in the schema of the owner table
   * @return new options
   */
  public JsonOptions withInOwnerSchema(boolean on) {
    return new JsonOptions(
        rowBudget, leafSize, fanOut, keepInline, compression, touch, unchanged, keyIndex, on);
  }

  /**
   * Returns what is not null, under the names of the catalog.
   *
   * @return options by name
   */
  public Map<String, String> toMap() {
    Map<String, String> map = new LinkedHashMap<>();
    put(map, "row_budget", rowBudget);
    put(map, "leaf_size", leafSize);
    put(map, "fan_out", fanOut);
    put(map, "compression", compression);
    put(map, "touch", touch);
    put(map, "unchanged", unchanged);
    put(map, "store_schema", inOwnerSchema == null ? null : inOwnerSchema ? "owner" : "pgtoaster");
    map.replaceAll((name, value) -> value.toLowerCase(Locale.ROOT));
    if (keepInline != null) {
      map.put(
          "keep_inline",
          JsonbText.text(Json.toTree(keepInline.stream().map(DocumentPath::toPointer).toList())));
    }
    put(map, "key", keyIndex);
    return map;
  }

  private static void put(Map<String, String> map, String name, @Nullable Object value) {
    if (value != null) {
      map.put(name, value.toString());
    }
  }
}
