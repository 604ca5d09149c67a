package io.pgtoaster.spi;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.KeyOrder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/** Documents in memory with the semantics of {@code jsonb}, for toasters that read them whole. */
public final class JsonTrees {
  private JsonTrees() {}

  /**
   * The result of an edit.
   *
   * @param root the document after the edit, or null
   * @param outcome the outcome of the edit
   */
  public record Changed(@Nullable JsonNode root, Edited outcome) {}

  /**
   * Reads a document.
   *
   * @throws io.pgtoaster.error.InvalidJsonException if {@code jsonb} cannot store it
   */
  public static JsonNode read(String text) {
    return Json.readTree(text);
  }

  /**
   * Reads a document.
   *
   * @param document before its first token; read up to the end of its first value
   * @throws io.pgtoaster.error.InvalidJsonException if {@code jsonb} cannot store it
   */
  public static JsonNode read(JsonParser document) {
    return Json.readTree(document);
  }

  /** Writes a value as {@code jsonb} prints it. */
  public static String text(JsonNode value) {
    return JsonbText.text(value);
  }

  /**
   * Finds the value at a path, like {@code #>}.
   *
   * @return the value, not a copy; null if there is nothing at the path
   */
  public static @Nullable JsonNode find(JsonNode root, DocumentPath path) {
    return JsonChanges.get(root, path.steps());
  }

  /**
   * Returns keys of an object that follow a key, or all, in jsonb's order: by length in bytes, then
   * by bytes.
   */
  public static List<String> keys(JsonNode object, @Nullable String after, int limit) {
    return Arrays.stream(JsonbText.sortedKeys(object))
        .filter(key -> after == null || KeyOrder.JSONB.compare(key, after) > 0)
        .limit(limit)
        .toList();
  }

  /**
   * Applies an edit to a document, in place. The new value itself becomes part of the document.
   *
   * @param document the document; null for a column that is NULL
   * @throws io.pgtoaster.error.InvalidPathException if the path does not fit the document
   * @throws io.pgtoaster.error.InvalidJsonException if the value at the path is not of the type
   *     that the edit needs
   */
  public static Changed change(@Nullable JsonNode document, JsonEdit edit) {
    if (edit instanceof JsonEdit.Conditional conditional) {
      boolean holds = conditional.holds(document == null ? null : find(document, edit.path()));
      return holds ? change(document, conditional.edit()) : new Changed(document, Edited.CONFLICT);
    }
    if (document == null) {
      return edit instanceof JsonEdit.Set set && set.createParents()
          ? new Changed(JsonChanges.nested(set.path().steps(), set.value()), Edited.APPLIED)
          : new Changed(null, Edited.MISSED);
    }
    JsonChanges.Result result = apply(document, edit, edit.path().steps());
    return new Changed(result.root(), new Edited(result.applied(), result.number(), false));
  }

  private static JsonChanges.Result apply(JsonNode root, JsonEdit edit, List<String> steps) {
    if (edit instanceof JsonEdit.Set set) {
      return JsonChanges.set(root, steps, set.value(), set.createMissing(), set.createParents());
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return JsonChanges.insert(root, steps, insert.value(), insert.after());
    }
    if (edit instanceof JsonEdit.Append append) {
      return JsonChanges.append(root, steps, append.elements());
    }
    if (edit instanceof JsonEdit.KeepLast keep) {
      return JsonChanges.keepLast(root, steps, keep.elements());
    }
    if (edit instanceof JsonEdit.SetMembers all) {
      return JsonChanges.setMembers(root, steps, all.members());
    }
    if (edit instanceof JsonEdit.Increment increment) {
      return JsonChanges.increment(root, steps, increment.delta());
    }
    if (edit instanceof JsonEdit.Remove) {
      return JsonChanges.remove(root, steps);
    }
    throw JsonChanges.unknown(edit);
  }
}
