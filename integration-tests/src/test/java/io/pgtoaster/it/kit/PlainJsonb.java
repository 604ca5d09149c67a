package io.pgtoaster.it.kit;

import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.JsonEdit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/** What PostgreSQL's own operators make of documents that are given as text. */
public final class PlainJsonb {
  /** States of the errors that a path or value that does not fit gets. */
  private static final Set<String> REFUSALS = Set.of("22023", "22P02");

  private static final String DOCUMENT = "(SELECT CAST(? AS jsonb) AS d, CAST(? AS text[]) AS path";

  private final Connection connection;

  public PlainJsonb(Connection connection) {
    this.connection = connection;
  }

  /** The document as PostgreSQL prints it. */
  public String canonical(String json) {
    return value("SELECT CAST(CAST(? AS jsonb) AS text)", json);
  }

  /** The value at a path; null if there is none. */
  public String get(String json, DocumentPath path) {
    return value("SELECT CAST(d #> path AS text) FROM " + DOCUMENT + ") s", json, path);
  }

  /** The type of the value at a path; null if there is none. */
  public String type(String json, DocumentPath path) {
    return value("SELECT jsonb_typeof(d #> path) FROM " + DOCUMENT + ") s", json, path);
  }

  /** The number of elements or members at a path; null if there is no container. */
  public String size(String json, DocumentPath path) {
    return value(
        "SELECT CASE jsonb_typeof(d #> path) WHEN 'array' THEN jsonb_array_length(d #> path)"
            + " WHEN 'object' THEN (SELECT count(*) FROM jsonb_object_keys(d #> path)) END FROM "
            + DOCUMENT
            + ") s",
        json,
        path);
  }

  /** The keys of the object at a path, as a JSON array; null if there is none. */
  public String keys(String json, DocumentPath path) {
    return value(
        "SELECT CASE jsonb_typeof(d #> path) WHEN 'object' THEN (SELECT coalesce(jsonb_agg(k ORDER"
            + " BY n), '[]') FROM jsonb_object_keys(d #> path) WITH ORDINALITY k(k, n)) END FROM "
            + DOCUMENT
            + ") s",
        json,
        path);
  }

  /** Elements of the array at a path, as a JSON array; null if there is none. */
  public String slice(String json, DocumentPath path, long from, long to) {
    return value(
        "SELECT CASE jsonb_typeof(d #> path) WHEN 'array' THEN (SELECT coalesce(jsonb_agg(e ORDER"
            + " BY n), '[]') FROM jsonb_array_elements(d #> path) WITH ORDINALITY e(e, n) WHERE n >"
            + " ? AND n <= ?) END FROM "
            + DOCUMENT
            + ") s",
        from,
        to,
        json,
        path);
  }

  /** The document after an edit; null if PostgreSQL refuses it. */
  public String edit(String json, JsonEdit edit) {
    DocumentPath path = edit.path();
    if (edit instanceof JsonEdit.Set set) {
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
    if (edit instanceof JsonEdit.Concat concat) {
      return changed(
          "CASE WHEN d #> path IS NULL THEN d WHEN path = '{}' THEN d || v"
              + " ELSE jsonb_set(d, path, (d #> path) || v) END",
          json,
          path,
          concat.value().toString(),
          false);
    }
    return increment(json, path, ((JsonEdit.Increment) edit).delta().toPlainString());
  }

  /** Counts a missing member as 0; what is neither there nor such a member is left alone. */
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

  /** The only value of a query; null also if the server refuses a path or value. */
  private String value(String sql, Object... parameters) {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        if (parameters[i] instanceof DocumentPath path) {
          s.setArray(i + 1, connection.createArrayOf("text", path.steps().toArray()));
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
