package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.jsonb.JsonIndex;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.spi.Toaster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.hibernate.MappingException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link KeyedColumn}.
 *
 * @param toaster name of the column's toaster
 * @param options of the column; empty for the toaster {@code default}
 * @param indexes its search indexes
 * @param batchSize number of documents from which one statement reads a member
 * @param conflicts treatment of a path that another transaction has changed
 */
public record ColumnSettings(
    String toaster,
    JsonOptions options,
    List<JsonIndex> indexes,
    int batchSize,
    Conflicts conflicts) {
  /** The settings of an attribute without the annotation. */
  public static final ColumnSettings DEFAULT =
      new ColumnSettings(
          JsonOptions.TOASTER, JsonOptions.defaults(), List.of(), 100, Conflicts.DETECT);

  /** Keys that are stored differently in a split document. */
  private static final Pattern ESCAPED = Pattern.compile("\\$+pgtoaster");

  /**
   * Cached for each toaster: thousands of statements are translated, and the class path does not
   * change.
   */
  private static final Map<String, Boolean> STUBS = new ConcurrentHashMap<>();

  /**
   * Reads an annotation.
   *
   * @param column annotation of the attribute; null if it has none
   * @return its settings, or the defaults
   * @throws MappingException if its settings contradict each other
   * @throws IllegalArgumentException if a number or path is not valid
   */
  public static ColumnSettings of(@Nullable KeyedColumn column) {
    if (column == null) {
      return DEFAULT;
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
    return new ColumnSettings(
        column.toaster(), options, List.copyOf(indexes), column.batchSize(), column.conflicts());
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

  /**
   * Returns whether a value and everything below it is always in the row.
   *
   * @param steps path of the value
   * @return true if it is never moved out of line
   */
  public boolean keeps(List<String> steps) {
    return !holdsStubs()
        || (steps.stream().noneMatch(s -> ESCAPED.matcher(s).matches())
            && isWithin(steps, options.keepInline()));
  }

  /** Returns whether a path is one of the given paths, or leads to a place below one. */
  static boolean isWithin(List<String> steps, @Nullable List<DocumentPath> paths) {
    return paths != null
        && paths.stream()
            .map(DocumentPath::steps)
            .anyMatch(p -> p.size() <= steps.size() && p.equals(steps.subList(0, p.size())));
  }

  /**
   * Returns whether the column has a search index for containment.
   *
   * @return true if so
   */
  public boolean containmentIndex() {
    return indexes.stream().anyMatch(i -> i.kind() == JsonIndex.Kind.CONTAINMENT);
  }
}
