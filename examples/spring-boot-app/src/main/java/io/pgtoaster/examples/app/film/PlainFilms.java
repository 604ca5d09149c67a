package io.pgtoaster.examples.app.film;

import io.pgtoaster.column.DocumentPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** The operations of {@link Films}, each as one statement on a plain {@code jsonb} column. */
@Component
final class PlainFilms {
  // OFFSET 0 makes the server extract the branch from the document once, not once per function.
  private static final String BRANCH =
      " FROM (SELECT doc #> CAST(? AS text[]) AS b FROM example_film_plain WHERE id = 1 OFFSET 0)"
          + " branch";

  private static final String ELEMENTS =
      "SELECT pg_catalog.jsonb_array_length(b), pg_catalog.jsonb_path_query(b, '$[$from to $to]',"
          + " pg_catalog.jsonb_build_object('from', CAST(? AS bigint), 'to', CAST(? AS bigint)))"
          + BRANCH;

  /** Uses jsonb's order of keys. Does not copy large values just to find their type. */
  private static final String MEMBERS =
      "SELECT (SELECT pg_catalog.count(*) FROM pg_catalog.jsonb_object_keys(b)), key,"
          + " CASE WHEN type IN ('\"array\"', '\"object\"') THEN type ELSE b -> key END"
          + BRANCH
          + """
          , ROWS FROM (pg_catalog.jsonb_object_keys(b), pg_catalog.jsonb_path_query(b, 'strict $.*.type()')) m(key, type)
          WHERE (pg_catalog.octet_length(key), key COLLATE "C") > (?, CAST(? AS text) COLLATE "C") LIMIT ?
          """;

  private final JdbcTemplate jdbc;

  PlainFilms(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  List<String> open(DocumentPath path, boolean array, @Nullable String next) {
    return array ? elements(path, next) : members(path, next);
  }

  private List<String> elements(DocumentPath path, @Nullable String next) {
    long from = next == null ? 0 : Long.parseLong(next);
    long to = from + Films.PAGE - 1;
    return jdbc.query(ELEMENTS, (row, number) -> row.getString(2), from, to, steps(path));
  }

  private List<String> members(DocumentPath path, @Nullable String next) {
    String after = next == null ? "" : next;
    return jdbc.query(
        MEMBERS,
        (row, number) -> row.getString(2) + row.getString(3),
        steps(path),
        next == null ? -1 : after.getBytes(StandardCharsets.UTF_8).length,
        after,
        Films.PAGE);
  }

  int set(DocumentPath path, JsonNode value) {
    return jdbc.update(
        "UPDATE example_film_plain SET doc = pg_catalog.jsonb_set(doc, CAST(? AS text[]), CAST(? AS"
            + " jsonb), false) WHERE id = 1",
        steps(path),
        value.toString());
  }

  private static Object steps(DocumentPath path) {
    return path.steps().toArray(String[]::new);
  }
}
