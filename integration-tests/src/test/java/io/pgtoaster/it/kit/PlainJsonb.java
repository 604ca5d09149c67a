package io.pgtoaster.it.kit;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.JsonChanges;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Results of PostgreSQL's operators on documents in text form. */
public record PlainJsonb(Connection connection) {
  /** SQLStates for invalid paths and values. */
  private static final Set<String> REFUSALS = Set.of("22023", "22P02");

  private static final String DOCUMENT = "(SELECT CAST(? AS jsonb) AS d, CAST(? AS text[]) AS path";

  private static final String LOOK =
      """
      SELECT CAST(c AS text), CAST(v AS text), t,
        CASE t WHEN 'array' THEN jsonb_array_length(v)
          WHEN 'object' THEN (SELECT count(*) FROM jsonb_object_keys(v)) END,
        CASE t WHEN 'object' THEN (SELECT coalesce(jsonb_agg(k ORDER BY n), '[]')
          FROM jsonb_object_keys(v) WITH ORDINALITY k(k, n)) END,
        CASE t WHEN 'array' THEN (SELECT coalesce(jsonb_agg(e ORDER BY n), '[]')
          FROM jsonb_array_elements(v) WITH ORDINALITY e(e, n) WHERE n > lower AND n <= upper) END
      FROM (SELECT d #> at AS c, d #> path AS v, jsonb_typeof(d #> path) AS t, lower, upper
        FROM (SELECT CAST(? AS jsonb) AS d, CAST(? AS text[]) AS at, CAST(? AS text[]) AS path,
          CAST(? AS bigint) AS lower, CAST(? AS bigint) AS upper OFFSET 0) s OFFSET 0) s
      """;

  /** Returns the document as PostgreSQL prints it. */
  public String canonical(String json) {
    return value("SELECT CAST(CAST(? AS jsonb) AS text)", json);
  }

  /** Returns the value at a path, or null. */
  public String get(String json, DocumentPath path) {
    return value("SELECT CAST(d #> path AS text) FROM " + DOCUMENT + ") s", json, path);
  }

  /** Returns the type of the value at a path, or null. */
  public String type(String json, DocumentPath path) {
    return value("SELECT jsonb_typeof(d #> path) FROM " + DOCUMENT + ") s", json, path);
  }

  /**
   * Values of a document.
   *
   * @param changed the value at the first path
   * @param text the value at the second path, like all components that follow
   * @param type the type of the value
   * @param size the number of elements or members of a container
   * @param keys the keys of an object, as a JSON array
   * @param slice elements of an array, as a JSON array
   */
  public record Seen(
      Optional<String> changed,
      Optional<String> text,
      Optional<String> type,
      OptionalLong size,
      Optional<String> keys,
      Optional<String> slice) {}

  /** Reads two places in a document, but sends and parses the document only once. */
  public Seen look(String json, DocumentPath changed, DocumentPath path, long from, long to) {
    try (PreparedStatement s = connection.prepareStatement(LOOK)) {
      s.setString(1, json);
      s.setArray(2, array(changed));
      s.setArray(3, array(path));
      s.setLong(4, from);
      s.setLong(5, to);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        String size = r.getString(4);
        return new Seen(
            Optional.ofNullable(r.getString(1)),
            Optional.ofNullable(r.getString(2)),
            Optional.ofNullable(r.getString(3)),
            size == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(size)),
            Optional.ofNullable(r.getString(5)),
            Optional.ofNullable(r.getString(6)));
      }
    } catch (SQLException e) {
      throw new AssertionError(LOOK, e);
    }
  }

  private Array array(DocumentPath path) throws SQLException {
    return connection.createArrayOf("text", path.steps().toArray());
  }

  /** Returns the document after an edit, or null if PostgreSQL rejects the edit. */
  public String edit(String json, JsonEdit edit) {
    DocumentPath path = edit.path();
    if (edit instanceof JsonEdit.Set set) {
      if (set.createParents()) {
        return create(json, path, set.value());
      }
      return changed(
          "jsonb_set(d, path, v, f)", json, path, set.value().toString(), set.createMissing());
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return changed(
          "jsonb_insert(d, path, v, f)", json, path, insert.value().toString(), insert.after());
    }
    if (edit instanceof JsonEdit.Remove) {
      return changed("d #- path", json, path, "null", false);
    }
    if (edit instanceof JsonEdit.Append append) {
      return changed(
          "CASE WHEN jsonb_typeof(d #> path) IS DISTINCT FROM 'array' THEN d"
              + " WHEN path = '{}' THEN d || v ELSE jsonb_set(d, path, (d #> path) || v) END",
          json,
          path,
          append.elements().toString(),
          false);
    }
    if (edit instanceof JsonEdit.KeepLast keep) {
      return changed(
          "CASE WHEN jsonb_typeof(d #> path) IS DISTINCT FROM 'array' THEN d ELSE (SELECT"
              + " CASE WHEN path = '{}' THEN k.k ELSE jsonb_set(d, path, k.k) END FROM (SELECT"
              + " coalesce(jsonb_agg(e.e ORDER BY e.o), '[]') FROM jsonb_array_elements(d #> path)"
              + " WITH ORDINALITY e(e, o) WHERE e.o > jsonb_array_length(d #> path) -"
              + " CAST(v AS integer)) k(k)) END",
          json,
          path,
          Integer.toString(keep.elements()),
          false);
    }
    return increment(json, path, ((JsonEdit.Increment) edit).delta().toPlainString());
  }

  /** Sets the first missing part of the path to the value inside of its missing parents. */
  private String create(String json, DocumentPath path, JsonNode value) {
    int depth = 1;
    while (depth < path.steps().size() && type(json, path.first(depth)) != null) {
      depth++;
    }
    List<String> rest = path.steps().subList(depth, path.steps().size());
    JsonNode nested = JsonChanges.nested(rest, value);
    return changed("jsonb_set(d, path, v, f)", json, path.first(depth), nested.toString(), true);
  }

  /** Treats a missing member as 0. Changes nothing if the parent is not an object. */
  private String increment(String json, DocumentPath path, String delta) {
    String type = type(json, path);
    if (type == null) {
      int steps = path.steps().size();
      DocumentPath parent = new DocumentPath(path.steps().subList(0, steps - 1));
      if (!"object".equals(type(json, parent))) {
        return json;
      }
    } else if (!type.equals("number")) {
      return null;
    }
    String sum = "to_jsonb(coalesce(CAST(d #>> path AS numeric), 0) + CAST(v #>> '{}' AS numeric))";
    return changed(
        path.isRoot() ? sum : "jsonb_set(d, path, " + sum + ")", json, path, delta, false);
  }

  private String changed(
      String expression, String json, DocumentPath path, String value, boolean flag) {
    return value(
        "SELECT CAST("
            + expression
            + " AS text) FROM "
            + DOCUMENT
            + ", CAST(? AS jsonb) AS v, "
            + "CAST(? AS boolean) AS f) s",
        json,
        path,
        value,
        flag);
  }

  /** Returns the only value of a query, or null, also if the server rejects a path or value. */
  private String value(String sql, Object... parameters) {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        if (parameters[i] instanceof DocumentPath path) {
          s.setArray(i + 1, array(path));
        } else {
          s.setObject(i + 1, parameters[i]);
        }
      }
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getString(1);
      }
    } catch (SQLException e) {
      if (REFUSALS.contains(e.getSQLState())) {
        return null;
      }
      throw new AssertionError(sql, e);
    }
  }
}
