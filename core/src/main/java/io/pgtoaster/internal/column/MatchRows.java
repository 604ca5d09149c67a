package io.pgtoaster.internal.column;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A statement that returns where the documents that a search has found match. */
public final class MatchRows {
  private MatchRows() {}

  /** Returns a name for each key column: the prefix with 1, 2, and so on. */
  public static String keys(AttachedColumn column, String prefix) {
    return IntStream.rangeClosed(1, column.key().size())
        .mapToObj(n -> prefix + n)
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the statement. Its last parameters are {@link #parameters}.
   *
   * @param rows the rows found, for a FROM clause; their keys are in k.key_1, k.key_2, ..
   * @param document the document of a row
   */
  public static String statement(AttachedColumn column, String rows, String document) {
    return ("SELECT %1$s, m.n, m.path, m.value FROM %2$s LEFT JOIN LATERAL pgtoaster.document_matches(%3$s,"
            + " CAST(? AS pg_catalog.regconfig), CAST(? AS pg_catalog.jsonb), CAST(? AS text),"
            + " CAST(? AS pg_catalog.jsonb), CAST(? AS text[]), CAST(%4$d AS bigint))"
            + " WITH ORDINALITY m(path, value, n) ON true ORDER BY %1$s, m.n")
        .formatted(keys(column, "k.key_"), rows, document, SearchMatches.MAX_MATCHES);
  }

  /**
   * Returns the last parameters of the statement.
   *
   * @param config the text search configuration; null if the search has no words
   */
  public static Query.Parameters parameters(@Nullable String config, JsonSearch search) {
    return (s, first) ->
        Query.bind(
            s,
            first,
            Query.untyped(config),
            Query.untyped(SearchTexts.probe(search)),
            Query.untyped(search.text()),
            Query.untyped(SearchTexts.ranges(search.ranges())),
            search.textPaths().isEmpty() ? Query.untyped(null) : Query.texts(search.textPaths()));
  }

  /** Reads all rows. */
  public static List<SearchMatches> read(AttachedColumn column, ResultSet rows)
      throws SQLException {
    int keys = column.key().size();
    List<SearchMatches> found = new ArrayList<>();
    List<SearchMatches.Match> matches = new ArrayList<>();
    Object key = null;
    while (rows.next()) {
      // A row without matches has the number NULL, which is read as 0.
      if (key != null && rows.getLong(keys + 1) <= 1) {
        found.add(new SearchMatches(key, matches));
        matches.clear();
      }
      key = column.readKey(rows);
      Array path = rows.getArray(keys + 2);
      if (path != null) {
        matches.add(
            new SearchMatches.Match(
                new DocumentPath(List.of((String[]) path.getArray())),
                Json.readTree(rows.getString(keys + 3))));
      }
    }
    if (key != null) {
      found.add(new SearchMatches(key, matches));
    }
    return found;
  }
}
