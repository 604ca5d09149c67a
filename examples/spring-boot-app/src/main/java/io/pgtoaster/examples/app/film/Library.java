package io.pgtoaster.examples.app.film;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.SearchHit;
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

/**
 * Films to search, stored with pgtoaster and in a plain {@code jsonb} column, each with a text
 * index.
 */
@Component
final class Library {
  private static final int LIMIT = 20;
  private static final DocumentPath TITLE = DocumentPath.of("title");

  /** Ranks the films and finds the best string of each, as a search of pgtoaster does. */
  private static final String PLAIN =
      """
      SELECT best.id, (
          SELECT ts_headline('english', string #>> '{}', best.words)
          FROM jsonb_path_query(best.doc, 'strict $.** ? (@.type() == "string")') string
          ORDER BY ts_rank(to_tsvector('english', string #>> '{}'), best.words) DESC LIMIT 1)
      FROM (SELECT id, doc, words
            FROM example_library_plain, websearch_to_tsquery('english', ?) words
            WHERE jsonb_to_tsvector('english', doc, '["string"]') @@ words
            ORDER BY ts_rank(jsonb_to_tsvector('english', doc, '["string"]'), words) DESC, id
            LIMIT ?) best
      """;

  private final DocumentColumn films;
  private final JdbcTemplate jdbc;
  private final CostMeter meter;

  Library(PgToaster toaster, JdbcTemplate jdbc, CostMeter meter) {
    this.films = toaster.documents("example_library", "doc");
    this.jdbc = jdbc;
    this.meter = meter;
  }

  /**
   * A film that was found.
   *
   * @param title title of the film
   * @param snippet its best passage, with the words between {@code <b>} and {@code </b>}; not HTML
   */
  record Hit(String title, String snippet) {}

  /**
   * The films that were found.
   *
   * @param hits the best films first, at most 20
   * @param cost cost of the search
   */
  record Found(List<Hit> hits, Comparison cost) {}

  /** Finds the films that contain these words. Uses the syntax of a web search. */
  Found search(String words) {
    Measured<List<SearchHit>> ours =
        meter.measure(
            "example_library", () -> films.searchRanked(JsonSearch.text(words).withLimit(LIMIT)));
    Measured<?> theirs =
        meter.measure("example_library_plain", () -> jdbc.queryForList(PLAIN, words, LIMIT));
    return new Found(
        withTitles(ours.value()),
        new Comparison("Search for " + words, ours.cost(), theirs.cost()));
  }

  private List<Hit> withTitles(List<SearchHit> hits) {
    Map<Object, JsonNode> titles = films.getAll(hits.stream().map(SearchHit::key).toList(), TITLE);
    List<Hit> found = new ArrayList<>();
    for (SearchHit hit : hits) {
      JsonNode title = titles.get(hit.key());
      // Somebody may have deleted the film since then.
      if (title != null) {
        found.add(new Hit(title.asString(), hit.snippet()));
      }
    }
    return found;
  }
}
