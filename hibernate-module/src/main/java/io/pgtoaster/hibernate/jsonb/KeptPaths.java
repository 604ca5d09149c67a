package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.hibernate.MappingException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the paths that queries read from the row alone, because the mapping says that they are
 * always there. A column that may move them out of line is rejected, because the queries would miss
 * the out-of-line values.
 */
final class KeptPaths {
  private static final String OPTION = "keep_inline";

  private KeptPaths() {}

  /** Checks an attribute; looks up the column only if the mapping keeps paths in the row. */
  static void check(
      ContentAttribute attribute,
      ColumnSettings settings,
      Supplier<@Nullable AttachedColumn> lookup) {
    boolean all = !settings.holdsStubs();
    List<DocumentPath> wanted = settings.options().keepInline();
    if (!all && (wanted == null || wanted.isEmpty())) {
      return;
    }
    AttachedColumn column = lookup.get();
    if (column == null || !ColumnSettings.holdsStubs(column.toaster())) {
      return;
    }
    if (all) {
      throw new MappingException(
          attribute
              + ": the mapping says toaster = \""
              + settings.toaster()
              + "\", but the column "
              + column.describe()
              + " is attached to the toaster \""
              + column.toaster()
              + "\", so queries would miss values that are out of line; omit the toaster, or detach"
              + " the column");
    }
    List<DocumentPath> kept = kept(column);
    List<DocumentPath> missing =
        wanted == null
            ? List.of()
            : wanted.stream().filter(p -> !ColumnSettings.isWithin(p.steps(), kept)).toList();
    if (!missing.isEmpty()) {
      throw new MappingException(
          attribute
              + ": the mapping keeps "
              + pointers(missing.stream())
              + " in the row (keepInline), but the column "
              + column.describe()
              + " does not, so queries would miss values that are out of line; SELECT"
              + " pgtoaster.set_options("
              + Identifiers.literal(column.quotedTable())
              + ", "
              + Identifiers.literal(column.column())
              + ", "
              + Identifiers.literal(options(Stream.concat(kept.stream(), missing.stream())))
              + "), and compact the column, which moves it back into the row");
    }
  }

  private static List<DocumentPath> kept(AttachedColumn column) {
    return StreamSupport.stream(Json.readTree(column.option(OPTION)).spliterator(), false)
        .map(pointer -> DocumentPath.parse(pointer.asString()))
        .toList();
  }

  private static String options(Stream<DocumentPath> paths) {
    return JsonbText.text(
        Json.toTree(Map.of(OPTION, paths.map(DocumentPath::toPointer).distinct().toList())));
  }

  private static String pointers(Stream<DocumentPath> paths) {
    return JsonbText.text(Json.toTree(paths.map(DocumentPath::toPointer).toList()));
  }
}
