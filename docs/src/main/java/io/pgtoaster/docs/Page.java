package io.pgtoaster.docs;

import java.nio.file.Path;
import java.util.List;

/**
 * A page of the site.
 *
 * @param file path in the repository, relative to its root
 * @param title text of its first heading
 * @param body HTML
 * @param sections second-level headings
 * @param passages all its text, for the search
 */
record Page(Path file, String title, String body, List<Section> sections, List<Passage> passages) {
  /**
   * A heading that can be linked to.
   *
   * @param id of the element
   * @param name text
   */
  record Section(String id, String name) {}

  /**
   * The text below a heading, up to the next one.
   *
   * @param id of the heading's element
   * @param name text of the heading
   * @param text without markup
   */
  record Passage(String id, String name, String text) {}
}
