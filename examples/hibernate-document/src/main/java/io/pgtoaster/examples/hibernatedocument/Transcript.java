package io.pgtoaster.examples.hibernatedocument;

import java.util.List;

/**
 * The document of an interview.
 *
 * @param guest who was asked
 * @param place where
 * @param sentences one after the other
 */
record Transcript(String guest, String place, List<Sentence> sentences) {
  /**
   * What somebody said.
   *
   * @param second when
   * @param by who
   * @param text what
   */
  record Sentence(int second, String by, String text) {}
}
