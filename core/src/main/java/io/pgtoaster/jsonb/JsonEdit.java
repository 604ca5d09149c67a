package io.pgtoaster.jsonb;

import io.pgtoaster.spi.json.JsonEquality;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One change of a document at one path, with the semantics of PostgreSQL's own operators. */
public sealed interface JsonEdit {
  /**
   * Returns where the change is.
   *
   * @return the path
   */
  DocumentPath path();

  /**
   * Names the change, for {@link io.pgtoaster.column.CallListener}.
   *
   * @return one word
   */
  default String verb() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /**
   * {@code jsonb_set}.
   *
   * @param path of the value to replace; missing parents leave the document as it is
   * @param value the new value
   * @param createMissing whether a missing last step is added
   */
  record Set(DocumentPath path, JsonNode value, boolean createMissing) implements JsonEdit {}

  /**
   * {@code jsonb_insert}.
   *
   * @param path of the element to insert beside, or of a new member
   * @param value the new value
   * @param after whether behind the element, not before it
   */
  record Insert(DocumentPath path, JsonNode value, boolean after) implements JsonEdit {}

  /**
   * {@code ||} on the value at a path: elements are appended to an array, members of an object are
   * set one by one, a scalar counts as an array of one.
   *
   * @param path of the value to extend; where it is missing, nothing happens
   * @param value what comes behind it
   */
  record Concat(DocumentPath path, JsonNode value) implements JsonEdit {}

  /**
   * {@code #-}.
   *
   * @param path of what is removed; where it is missing, nothing happens
   */
  record Remove(DocumentPath path) implements JsonEdit {}

  /**
   * Adds to a number. A number that is missing from an object that is there counts as 0.
   *
   * @param path of the number
   * @param delta what to add, exactly
   */
  record Increment(DocumentPath path, BigDecimal delta) implements JsonEdit {}

  /**
   * A set or a removal that is done only if what is at its path is what is expected, compared as
   * {@code jsonb} compares: keys in any order, {@code 1.0} as {@code 1.00}.
   *
   * @param edit a {@link Set} or a {@link Remove}
   * @param expected the value; null for nothing at all
   */
  record Conditional(JsonEdit edit, @Nullable JsonNode expected) implements JsonEdit {
    /**
     * Refuses other edits.
     *
     * @param edit as the component says
     * @param expected as the component says
     */
    public Conditional {
      if (!(edit instanceof Set || edit instanceof Remove)) {
        throw new IllegalArgumentException("only a set or a removal can have a condition");
      }
    }

    @Override
    public DocumentPath path() {
      return edit.path();
    }

    @Override
    public String verb() {
      return edit.verb() + "_if";
    }

    /**
     * Compares.
     *
     * @param present what is at the path; null for nothing
     * @return whether it is what is expected
     */
    public boolean holds(@Nullable JsonNode present) {
      return present == null
          ? expected == null
          : expected != null && JsonEquality.equal(present, expected);
    }
  }
}
