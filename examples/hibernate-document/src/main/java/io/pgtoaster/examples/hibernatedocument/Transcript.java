package io.pgtoaster.examples.hibernatedocument;

import java.util.List;

/**
 * The document of an interview.
 *
 * @param guest person interviewed
 * @param place place of the interview
 * @param sentences sentences in order
 */
record Transcript(String guest, String place, List<Sentence> sentences) {
  /**
   * A spoken sentence.
   *
   * @param second time in the recording
   * @param by speaker
   * @param text the words
   */
  record Sentence(int second, String by, String text) {}
}
