package io.pgtoaster.examples.app.film;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.examples.app.cost.Comparison;
import io.pgtoaster.examples.app.cost.CostMeter;
import io.pgtoaster.examples.app.cost.Measured;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Films to search, kept by pgtoaster and in a plain {@code jsonb}, each with a text index. */
@Component
final class Library {
  private static final int LIMIT = 20;
  private static final DocumentPath TITLE = DocumentPath.of("title");
  private static final DocumentPath YEAR = DocumentPath.of("year");
  private static final String PLAIN =
      "SELECT id, doc ->> 'title', doc ->> 'year' FROM example_library_plain WHERE"
          + " jsonb_to_tsvector('english', doc, '[\"string\"]') @@ websearch_to_tsquery('english', ?)"
          + " ORDER BY id LIMIT ?";

  private final DocumentColumn films;
  private final JdbcTemplate jdbc;
  private final CostMeter meter;

  Library(PgToaster toaster, JdbcTemplate jdbc, CostMeter meter) {
    this.films = toaster.documents("example_library", "doc");
    this.jdbc = jdbc;
    this.meter = meter;
  }

  /**
   * The films that were found.
   *
   * @param films in the order of their keys, at most 20
   * @param cost of the search
   */
  record Found(List<Film> films, Comparison cost) {}

  /** A film that was found. */
  record Film(String title, int year) {}

  /** Finds the films whose texts contain these words, in the syntax of a web search. */
  Found search(String words) {
    Measured<List<Film>> ours = meter.measure("example_library", () -> find(words));
    Measured<?> theirs =
        meter.measure(
            "example_library_plain",
            () -> jdbc.query(PLAIN, (row, n) -> row.getString(2) + row.getString(3), words, LIMIT));
    return new Found(
        ours.value(), new Comparison("Search for " + words, ours.cost(), theirs.cost()));
  }

  private List<Film> find(String words) {
    List<Object> keys = films.search(JsonSearch.text(words).withLimit(LIMIT));
    Map<?, JsonNode> titles = films.getAll(keys, TITLE);
    Map<?, JsonNode> years = films.getAll(keys, YEAR);
    List<Film> found = new ArrayList<>();
    for (Object key : keys) {
      JsonNode title = titles.get(key);
      JsonNode year = years.get(key);
      // Deleted since the search if not.
      if (title != null && year != null) {
        found.add(new Film(title.asString(), year.asInt()));
      }
    }
    return found;
  }
}
