package io.pgtoaster.examples.app.film;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.examples.app.cost.Comparison;
import io.pgtoaster.examples.app.cost.CostMeter;
import io.pgtoaster.examples.app.cost.Measured;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Films to search, stored with pgtoaster and in a plain {@code jsonb} column, each with a text
 * index.
 */
@Component
final class Library {
  private static final int LIMIT = 20;
  private static final DocumentPath TITLE = DocumentPath.of("title");
  private static final String PLAIN =
      "SELECT doc ->> 'title' FROM example_library_plain WHERE"
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
   * The films found.
   *
   * @param titles titles in the order of the films' keys, at most 20
   * @param cost cost of the search
   */
  record Found(List<String> titles, Comparison cost) {}

  /** Finds the films that contain these words. Uses the syntax of a web search. */
  Found search(String words) {
    Measured<List<String>> ours = meter.measure("example_library", () -> find(words));
    Measured<?> theirs =
        meter.measure(
            "example_library_plain", () -> jdbc.queryForList(PLAIN, String.class, words, LIMIT));
    return new Found(
        ours.value(), new Comparison("Search for " + words, ours.cost(), theirs.cost()));
  }

  private List<String> find(String words) {
    List<Object> keys = films.search(JsonSearch.text(words).withLimit(LIMIT));
    return films.getAll(keys, TITLE).values().stream().map(JsonNode::asString).toList();
  }
}
