package io.pgtoaster.docs;

import java.nio.file.Path;
import java.util.List;

/**
 * A page of the site.
 *
 * @param file path in the repository, relative to its root
 * @param title text of its first heading
 * @param body HTML
 * @param sections second headings
 */
record Page(Path file, String title, String body, List<Section> sections) {
  /**
   * A heading that can be linked to.
   *
   * @param id of the element
   * @param name text
   */
  record Section(String id, String name) {}
}
