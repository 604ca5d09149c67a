package io.pgtoaster.jsonb;

import java.util.ArrayList;
import java.util.List;

/**
 * A path into a document: object keys and array positions, outermost first. A step is a key or a
 * position by what it meets, as in PostgreSQL's {@code #>}: {@code 5} is the sixth element of an
 * array and the member {@code "5"} of an object; negative positions count from the end. Immutable.
 *
 * @param steps keys and positions
 */
public record DocumentPath(List<String> steps) {
  private static final DocumentPath ROOT = new DocumentPath(List.of());

  /**
   * Copies the steps.
   *
   * @param steps keys and positions
   */
  public DocumentPath {
    steps = List.copyOf(steps);
  }

  /**
   * Returns the path of the whole document.
   *
   * @return a path without steps
   */
  public static DocumentPath root() {
    return ROOT;
  }

  /**
   * Makes a path.
   *
   * @param steps strings for keys, whole numbers for positions
   * @return the path
   */
  public static DocumentPath of(Object... steps) {
    List<String> texts = new ArrayList<>();
    for (Object step : steps) {
      texts.add(step.toString());
    }
    return new DocumentPath(texts);
  }

  /**
   * Goes on to a member of an object.
   *
   * @param key its key
   * @return a longer path
   */
  public DocumentPath key(String key) {
    return plus(key);
  }

  /**
   * Goes on to an element of an array.
   *
   * @param position from 0; negative counts from the end
   * @return a longer path
   */
  public DocumentPath index(long position) {
    return plus(Long.toString(position));
  }

  private DocumentPath plus(String step) {
    List<String> longer = new ArrayList<>(steps);
    longer.add(step);
    return new DocumentPath(longer);
  }

  /**
   * Tells whether this is the path of the whole document.
   *
   * @return true if there are no steps
   */
  public boolean isRoot() {
    return steps.isEmpty();
  }
}
