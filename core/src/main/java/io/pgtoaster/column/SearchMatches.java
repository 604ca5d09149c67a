package io.pgtoaster.column;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A row found by {@link io.pgtoaster.jsonb.DocumentColumn#searchMatches}, and where its document
 * matches.
 *
 * @param key the value of the key column, or a list of values for a composite key
 * @param matches the first ones, at most {@link #MAX_MATCHES}, in the order of the document:
 *     members by the length of their keys, elements by position. Empty if the words of a phrase
 *     with a stop word are in two strings, where PostgreSQL also finds it
 */
public record SearchMatches(Object key, List<Match> matches) {
  /** The maximum number of matches of a row. */
  public static final int MAX_MATCHES = 100;

  /** Copies the list. */
  public SearchMatches {
    matches = List.copyOf(matches);
  }

  /**
   * A value that matches a condition of the search.
   *
   * @param path of the value, for {@link io.pgtoaster.jsonb.DocumentColumn#at}, until the document
   *     changes
   * @param value an element or another value of the probe, a string with words, or a value in a
   *     range
   */
  public record Match(DocumentPath path, JsonNode value) {}
}
