package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonCopies;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What stands in a row of a keyed column, for pgtoaster's own modules: the document, or its stub
 * with the members that have not left.
 *
 * @param document number of the document; null if it is plain, so that {@code root} is all of it
 * @param overflow whether members that are not in {@code root} may be stored elsewhere
 * @param root the members under the keys that their users gave them
 */
public record StubText(@Nullable Long document, boolean overflow, JsonNode root) {
  private static final String HEADER = "\"" + Markers.KEY + "\": [";

  /**
   * Reads the text of a row.
   *
   * @param row as PostgreSQL prints the column
   * @param left stands in {@code root} where a member is out of line
   * @return what it says
   */
  public static StubText read(String row, Left left) {
    JsonNode stored = Json.readStored(row);
    JsonNode header = row.contains(HEADER) && stored.isObject() ? stored.get(Markers.KEY) : null;
    Long document = header == null ? null : Markers.number(header.get(0));
    if (document == null || header == null) {
      return new StubText(null, false, stored);
    }
    ((ObjectNode) stored).remove(Markers.KEY);
    return new StubText(
        document,
        header.size() > 1,
        JsonCopies.copy(
            stored, Markers::unescape, v -> Markers.branch(v) == null ? v : left.node()));
  }

  /** Makes the nodes that stand for members that are out of line. */
  @FunctionalInterface
  public interface Left {
    /**
     * Makes a node.
     *
     * @return a node for one member
     */
    JsonNode node();
  }

  /**
   * Tells whether a document can be stored in its row as it is. One with keys that look like
   * markers cannot: it is split, whatever its size.
   *
   * @param document any
   * @return true if so
   */
  public static boolean canBePlain(JsonNode document) {
    return !Markers.hasSuchKey(document);
  }
}
