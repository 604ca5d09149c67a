package io.pgtoaster.langgraph4j;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Changes as edits of the stored document. */
final class Edits implements Difference.Target {
  /** If there are more changes than this, replacing the value is cheaper. */
  private static final int MAX = 100;

  private final List<JsonEdit> edits = new ArrayList<>();

  private Edits() {}

  /** Returns the edits that turn one value at a path into another. */
  static List<JsonEdit> between(DocumentPath path, JsonNode before, JsonNode after) {
    Edits changes = new Edits();
    Difference.find(path, before, after, changes);
    return changes.edits.size() > MAX
        ? List.of(new JsonEdit.Set(path, after, true))
        : changes.edits;
  }

  @Override
  public void set(DocumentPath path, JsonNode value, boolean isNew) {
    edits.add(new JsonEdit.Set(path, value, true));
  }

  @Override
  public void remove(DocumentPath path) {
    edits.add(new JsonEdit.Remove(path));
  }

  @Override
  public void insert(DocumentPath array, int position, JsonNode value) {
    edits.add(new JsonEdit.Insert(array.index(position), value, false));
  }

  @Override
  public void append(DocumentPath array, int size, List<JsonNode> values) {
    edits.add(new JsonEdit.Append(array, JsonNodeFactory.instance.arrayNode().addAll(values)));
  }

  @Override
  public void removeFirst(DocumentPath array, int count, int kept) {
    edits.add(new JsonEdit.KeepLast(array, kept));
  }
}
