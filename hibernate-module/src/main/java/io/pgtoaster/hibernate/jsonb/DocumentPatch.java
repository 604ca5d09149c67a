package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.internal.column.Patch;
import io.pgtoaster.internal.hook.Hidden;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.jsonb.JsonPatch;
import io.pgtoaster.spi.JsonInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies a JSON Patch (RFC 6902) to the document of an entity. It runs on a copy of the members
 * that the patch names, and changes the document only after all operations have succeeded. A patch
 * that fails changes nothing.
 */
final class DocumentPatch implements Patch.Target<RuntimeException> {
  private JsonNode copy;
  private boolean replaced;
  private final List<JsonEdit> edits = new ArrayList<>();

  private DocumentPatch(JsonNode copy) {
    this.copy = copy;
  }

  static void run(DocumentState state, JsonPatch given) {
    Patch patch = Hidden.part(JsonPatch.class, given, Patch.class);
    DocumentPatch tried = new DocumentPatch(copy(state, patch.paths()));
    patch.apply(tried);
    if (tried.replaced) {
      state.put(tried.copy);
    } else {
      tried.edits.forEach(state::change);
    }
  }

  private static JsonNode copy(DocumentState state, List<DocumentPath> paths) {
    DocumentPath root = DocumentPath.root();
    boolean members =
        paths.stream().noneMatch(DocumentPath::isRoot)
            && new DocumentQuestions(state).type(root).equals(Optional.of(JsonType.OBJECT));
    if (!members) {
      return JsonCopies.copy(state.whole());
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    paths.stream()
        .map(path -> path.steps().get(0))
        .distinct()
        .forEach(
            key -> state.find(root.key(key)).ifPresent(v -> object.set(key, JsonCopies.copy(v))));
    return object;
  }

  @Override
  public @Nullable JsonInfo describe(DocumentPath path, boolean size) {
    JsonNode value = at(path);
    return value == null
        ? null
        : new JsonInfo(JsonType.of(value), value.isContainer() ? value.size() : -1);
  }

  @Override
  public @Nullable JsonNode read(DocumentPath path) {
    JsonNode value = at(path);
    // Edits keep the values that they set until all operations have succeeded.
    return value == null ? null : JsonCopies.copy(value);
  }

  private @Nullable JsonNode at(DocumentPath path) {
    return JsonChanges.get(copy, path.steps());
  }

  @Override
  public boolean edit(JsonEdit edit) {
    JsonChanges.Result result = KnownDocument.apply(copy, edit, edit.path().steps());
    copy = result.root();
    edits.add(edit);
    return result.applied();
  }

  @Override
  public void put(@Nullable JsonNode document) {
    if (document == null) {
      throw new PatchFailedException(
          "the document of an entity cannot be removed as a whole; set the attribute to null",
          null);
    }
    copy = JsonCopies.copy(document);
    replaced = true;
  }
}
