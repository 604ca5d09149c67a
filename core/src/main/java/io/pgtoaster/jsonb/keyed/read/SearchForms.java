package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.keyed.format.Markers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The forms in which a leaf or a row may contain each string, number, boolean and null of a probe.
 * {@code pgtoaster.search_forms} does the same.
 */
final class SearchForms {
  /** Keys that {@code #>>} could take as positions. */
  private static final Pattern POSITION = Pattern.compile("\\s*[-+]?[0-9]+");

  /** Strings of this many bytes may be stored in pieces. */
  private static final int MAY_BE_CUT = 8000;

  /**
   * A form.
   *
   * @param json its text
   * @param path in the row to the number of the branch whose leaves contain it, as a text array;
   *     null if it is not known
   */
  record Form(String json, @Nullable String path) {}

  private SearchForms() {}

  /** Returns the forms of each value, each with the whole path last; empty containers have none. */
  static List<List<Form>> of(JsonNode probe) {
    List<List<Form>> found = new ArrayList<>();
    add(probe, List.of(), found);
    return found;
  }

  /** A step is a key, or an array if it is null. */
  private record Step(@Nullable String key) {}

  private static void add(JsonNode value, List<Step> path, List<List<Form>> found) {
    if (value.isObject()) {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        // Split documents store such a key in a different form than plain ones.
        if (Markers.escape(member.getKey()).equals(member.getKey())) {
          add(member.getValue(), with(path, new Step(member.getKey())), found);
        }
      }
    } else if (value.isArray()) {
      value.forEach(element -> add(element, with(path, new Step(null)), found));
    } else if (JsonbText.text(value).getBytes(StandardCharsets.UTF_8).length < MAY_BE_CUT) {
      found.add(forms(value, path));
    }
  }

  private static List<Step> with(List<Step> path, Step step) {
    List<Step> longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private static List<Form> forms(JsonNode scalar, List<Step> path) {
    List<Form> forms = new ArrayList<>();
    JsonNode form = scalar;
    for (int i = path.size(); i >= 0; i--) {
      if (i < path.size()) {
        @Nullable String key = path.get(i).key();
        form =
            key == null
                ? JsonNodeFactory.instance.arrayNode().add(form)
                : JsonNodeFactory.instance.objectNode().set(key, form);
      }
      // An array also contains the scalars that are its elements, so a leaf with the bare value
      // proves nothing.
      forms.add(
          new Form(
              JsonbText.text(form), i == path.size() && i > 0 ? null : branch(path.subList(0, i))));
    }
    return forms;
  }

  private static @Nullable String branch(List<Step> path) {
    List<String> steps = new ArrayList<>();
    for (Step step : path) {
      if (step.key() == null || POSITION.matcher(step.key()).matches()) {
        return null;
      }
      steps.add(step.key());
    }
    steps.add(Markers.KEY);
    if (path.isEmpty()) {
      // The overflow branch of the root.
      steps.add("1");
    }
    return Searches.array(steps);
  }
}
