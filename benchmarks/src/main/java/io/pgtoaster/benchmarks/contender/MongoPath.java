package io.pgtoaster.benchmarks.contender;

import com.mongodb.client.model.Projections;
import io.pgtoaster.column.DocumentPath;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;

/**
 * A path in MongoDB's syntax, which separates steps with dots. Keys on the path must not contain
 * dots.
 *
 * @param slices whether the server can return one element of an array
 */
record MongoPath(DocumentPath path, boolean slices) {
  private static final String DATA = "data";

  /**
   * A name that no member has. Including it in a projection excludes everything except the slice.
   */
  private static final String NOTHING = "nothing";

  private static final JsonWriterSettings JSON =
      JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

  private static final Pattern POSITION = Pattern.compile("-?[0-9]{1,9}");

  private static boolean isPosition(String step) {
    return POSITION.matcher(step).matches();
  }

  /** Returns the field name of an update, such as {@code data.roles.5.title}. */
  String name() {
    if (path.steps().stream().anyMatch(s -> s.startsWith("-") && isPosition(s))) {
      throw new IllegalArgumentException("MongoDB cannot change negative positions: " + path);
    }
    return name(path.steps());
  }

  private String name(List<String> steps) {
    StringBuilder name = new StringBuilder(DATA);
    for (String step : steps) {
      if (step.isEmpty() || step.startsWith("$") || step.contains(".")) {
        throw new IllegalArgumentException("MongoDB cannot express the path " + path);
      }
      name.append('.').append(step);
    }
    return name.toString();
  }

  /** Returns the number of keys before the first step that may be a position. */
  private int keys() {
    int keys = 0;
    while (keys < path.steps().size() && !isPosition(path.steps().get(keys))) {
      keys++;
    }
    return keys;
  }

  /**
   * Returns the projection of a read: the value, or the one array element that contains it.
   * Projections select array elements only by {@code $slice}, which returns other values unchanged.
   * A slice with a negative position extends to the end of the array.
   */
  Bson projection() {
    int keys = keys();
    String name = name(path.steps().subList(0, keys));
    if (keys == path.steps().size() || !slices) {
      return Projections.include(name);
    }
    int position = Integer.parseInt(path.steps().get(keys));
    return Projections.fields(
        Projections.include(NOTHING),
        position < 0 ? Projections.slice(name, position) : Projections.slice(name, position, 1));
  }

  /** Returns the value in the result of a read, like {@code #>>}; null if there is no value. */
  @Nullable String text(BsonDocument found) {
    BsonValue value = found.get(DATA);
    int keys = keys();
    for (int i = 0; i < path.steps().size() && value != null; i++) {
      value = step(value, path.steps().get(i), slices && i == keys);
    }
    return value == null ? null : text(value);
  }

  private static @Nullable BsonValue step(BsonValue value, String step, boolean slice) {
    if (value instanceof BsonDocument object) {
      return object.get(step);
    }
    if (!(value instanceof BsonArray array) || !isPosition(step)) {
      return null;
    }
    int wanted = Integer.parseInt(step);
    if (slice && wanted >= 0) {
      return array.isEmpty() ? null : array.get(0);
    }
    int position = wanted < 0 ? array.size() + wanted : wanted;
    return position < 0 || position >= array.size() ? null : array.get(position);
  }

  private static @Nullable String text(BsonValue value) {
    return switch (value.getBsonType()) {
      case NULL -> null;
      case STRING -> value.asString().getValue();
      case DOCUMENT -> value.asDocument().toJson(JSON);
      default -> inObject(value);
    };
  }

  /**
   * Returns a value as JSON. The driver writes only objects, so the value becomes the only member
   * of one.
   */
  private static String inObject(BsonValue value) {
    String text = new BsonDocument(DATA, value).toJson(JSON);
    return text.substring(text.indexOf(':') + 1, text.length() - 1).strip();
  }
}
