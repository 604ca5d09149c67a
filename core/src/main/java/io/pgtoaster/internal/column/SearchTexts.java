package io.pgtoaster.internal.column;

import io.pgtoaster.column.JsonRange;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;

/** The arguments of SQL functions for searches and their indexes. */
public final class SearchTexts {
  private SearchTexts() {}

  /** Returns the value that documents must contain, as JSON text; null for no condition. */
  public static @Nullable String probe(JsonSearch search) {
    JsonNode probe = search.probe();
    if (probe == null) {
      return null;
    }
    // The caller does not have the mapper of a column.
    return JsonbText.text(probe instanceof POJONode object ? Json.toTree(object.getPojo()) : probe);
  }

  /** Returns ranges in the form that {@code pgtoaster.search} takes; null if the list is empty. */
  public static @Nullable String ranges(List<JsonRange> ranges) {
    return ranges.isEmpty()
        ? null
        : ranges.stream().map(SearchTexts::range).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String range(JsonRange range) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    range.bounds().forEach(object::set);
    return JsonbText.text(object.put("path", range.path()));
  }

  /** Returns the options of an index in the form that {@code pgtoaster.create_index} takes. */
  public static String indexOptions(
      @Nullable String config, List<String> paths, @Nullable Boolean fastUpdate) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    if (config != null) {
      options.put("config", config);
    }
    if (fastUpdate != null) {
      options.put("fastupdate", fastUpdate);
    }
    if (!paths.isEmpty()) {
      paths.forEach(options.putArray("paths")::add);
    }
    return JsonbText.text(options);
  }
}
