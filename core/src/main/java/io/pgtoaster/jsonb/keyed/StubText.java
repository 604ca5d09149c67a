package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.jsonb.keyed.format.Markers;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The content of a row of a keyed column, for pgtoaster's own modules: the document, or its stub
 * with the members that were not moved out.
 *
 * @param document number of the document; null if it is plain, so that {@code root} is the whole
 *     document
 * @param overflow whether members that are not in {@code root} may be stored elsewhere
 * @param root the members, with unescaped keys
 */
public record StubText(@Nullable Long document, boolean overflow, JsonNode root) {
  private static final String HEADER = "\"" + Markers.KEY + "\": [";

  /**
   * Reads the text of a row.
   *
   * @param row the column's value as PostgreSQL prints it
   * @param outOfLine creates the nodes in {@code root} for members that are stored out of line
   */
  public static StubText read(String row, OutOfLine outOfLine) {
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
            stored, Markers::unescape, v -> Markers.branch(v) == null ? v : outOfLine.node()));
  }

  /** Creates the nodes that represent members stored out of line. */
  @FunctionalInterface
  public interface OutOfLine {
    /**
     * Creates a node.
     *
     * @return a node for one member
     */
    JsonNode node();
  }

  /**
   * Returns true if a document can be stored in its row unchanged. A document with keys that look
   * like markers cannot be plain: it is split, whatever its size.
   */
  public static boolean canBePlain(JsonNode document) {
    return !Markers.hasSuchKey(document);
  }
}
