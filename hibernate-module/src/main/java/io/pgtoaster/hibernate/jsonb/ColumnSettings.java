package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.jsonb.JsonIndex;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.spi.JsonCapability;
import io.pgtoaster.spi.Toaster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.MappingException;
import org.jspecify.annotations.Nullable;

/**
 * The settings for attaching a column of documents.
 *
 * @param toaster name of its toaster
 * @param options of the column; empty for the toaster {@code default}
 * @param indexes its search indexes
 */
public record ColumnSettings(String toaster, JsonOptions options, List<JsonIndex> indexes) {
  /**
   * Cached for each toaster: thousands of statements are translated, and the class path does not
   * change.
   */
  private static final Map<String, Boolean> STUBS = new ConcurrentHashMap<>();

  /**
   * Copies the list.
   *
   * @param toaster see the component
   * @param options see the component
   * @param indexes see the component
   */
  public ColumnSettings {
    indexes = List.copyOf(indexes);
  }

  /**
   * Reads an annotation.
   *
   * @param column annotation of the attribute; null if it has none
   * @return its settings, or the defaults
   * @throws MappingException if it contradicts itself
   * @throws IllegalArgumentException if a number or path is not valid
   */
  public static ColumnSettings of(@Nullable KeyedColumn column) {
    if (column == null) {
      return new ColumnSettings(JsonOptions.TOASTER, JsonOptions.defaults(), List.of());
    }
    if (column.compression().length > 1) {
      throw new MappingException("@KeyedColumn names more than one compression; name one");
    }
    boolean stock = column.toaster().equals(Toaster.DEFAULT);
    List<DocumentPath> inline =
        Arrays.stream(column.keepInline()).map(DocumentPath::parse).toList();
    JsonOptions options =
        JsonOptions.defaults()
            .withRowBudget(column.rowBudget() == 0 ? null : column.rowBudget())
            .withLeafSize(column.leafSize() == 0 ? null : column.leafSize())
            .withFanOut(column.fanOut() == 0 ? null : column.fanOut())
            .withCompression(column.compression().length == 0 ? null : column.compression()[0])
            .withTouch(column.touch() == JsonOptions.Touch.NONE ? null : column.touch())
            .withUnchanged(
                column.unchanged() == JsonOptions.Unchanged.WARNING ? null : column.unchanged())
            .withInOwnerSchema(column.inOwnerSchema() ? true : null)
            .withKeepInline(inline.isEmpty() ? null : inline)
            .withKeyIndex(column.keyIndex().isEmpty() ? null : column.keyIndex())
            .withLeadingKey(column.leadingKey().isEmpty() ? null : column.leadingKey());
    List<JsonIndex> indexes = new ArrayList<>();
    if (column.containmentIndex()) {
      indexes.add(JsonIndex.containment());
    }
    if (!column.textIndex().isEmpty()) {
      indexes.add(JsonIndex.text(column.textIndex()));
    }
    if (stock && !(options.equals(JsonOptions.defaults()) && indexes.isEmpty())) {
      throw new MappingException(
          "@KeyedColumn names the toaster default, which does not support the given options; remove"
              + " them or choose the toaster keyed");
    }
    return new ColumnSettings(column.toaster(), options, indexes);
  }

  /**
   * Returns whether documents of the column may be split.
   *
   * @return false if the row always contains the whole document
   */
  public boolean holdsStubs() {
    return holdsStubs(toaster);
  }

  /** Returns whether documents of a toaster may be split. */
  static boolean holdsStubs(String toaster) {
    return STUBS.computeIfAbsent(
        toaster,
        name ->
            Toasters.documents()
                .find(name)
                .map(t -> t.capabilities().contains(JsonCapability.STUBS))
                .orElse(false));
  }
}
