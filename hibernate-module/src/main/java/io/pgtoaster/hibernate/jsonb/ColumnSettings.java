package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.Toaster;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.JsonCapability;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.jsonb.JsonToasters;
import io.pgtoaster.jsonb.keyed.KeyedToaster;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.MappingException;
import org.jspecify.annotations.Nullable;

/**
 * How a column of documents is to be attached.
 *
 * @param toaster name of its toaster
 * @param options of the column; empty for the toaster {@code default}
 */
public record ColumnSettings(String toaster, JsonOptions options) {
  /** By toaster: statements are translated by the thousand, and class paths do not change. */
  private static final Map<String, Boolean> STUBS = new ConcurrentHashMap<>();

  /**
   * Reads an annotation.
   *
   * @param column annotation of the attribute; null if it has none
   * @return what it says, or the defaults
   * @throws MappingException if it contradicts itself
   * @throws IllegalArgumentException if a number or path is not valid
   */
  public static ColumnSettings of(@Nullable KeyedColumn column) {
    if (column == null) {
      return new ColumnSettings(KeyedToaster.NAME, JsonOptions.defaults());
    }
    if (column.compression().length > 1) {
      throw new MappingException("@KeyedColumn names more than one compression; name one");
    }
    boolean stock = column.toaster().equals(Toaster.DEFAULT);
    JsonOptions options = JsonOptions.defaults();
    if (column.rowBudget() != 0) {
      options = options.withRowBudget(column.rowBudget());
    }
    if (column.leafSize() != 0) {
      options = options.withLeafSize(column.leafSize());
    }
    if (column.fanOut() != 0) {
      options = options.withFanOut(column.fanOut());
    }
    if (column.keepInline().length > 0) {
      options =
          options.withKeepInline(
              Arrays.stream(column.keepInline()).map(DocumentPath::parse).toList());
    }
    if (column.compression().length == 1) {
      options = options.withCompression(column.compression()[0]);
    }
    if (column.touch() == JsonOptions.Touch.ROW) {
      options = options.withTouch(column.touch());
    }
    if (column.unchanged() != JsonOptions.Unchanged.WARNING) {
      options = options.withUnchanged(column.unchanged());
    }
    if (column.inOwnerSchema()) {
      options = options.withInOwnerSchema(true);
    }
    if (!column.keyIndex().isEmpty()) {
      options = options.withKeyIndex(column.keyIndex());
    }
    if (stock && !options.equals(JsonOptions.defaults())) {
      throw new MappingException(
          "@KeyedColumn names the toaster default, which takes none of the options given; "
              + "leave them out or choose the toaster keyed");
    }
    return new ColumnSettings(column.toaster(), options);
  }

  /**
   * Tells whether documents of the column may be split.
   *
   * @return false if the row always holds the whole document
   */
  public boolean holdsStubs() {
    return holdsStubs(toaster);
  }

  /** Whether documents of a toaster may be split. */
  static boolean holdsStubs(String toaster) {
    return STUBS.computeIfAbsent(
        toaster,
        name ->
            JsonToasters.load()
                .find(name)
                .map(t -> t.capabilities().contains(JsonCapability.STUBS))
                .orElse(false));
  }
}
