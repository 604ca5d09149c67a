package io.pgtoaster.jsonb.keyed.format;

import io.pgtoaster.spi.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The header of a stub. */
public final class Header {
  private static final String BEGINNING = "\"" + Markers.KEY + "\": ";

  private Header() {}

  /**
   * Reads the number of the document.
   *
   * @param row what stands in the owner's row, as PostgreSQL prints it
   * @return its number; null if it is plain; -1 if the header is not one of ours
   */
  public static @Nullable Long document(@Nullable String row) {
    if (row == null || !row.startsWith("{") || !row.contains(BEGINNING)) {
      return null;
    }
    JsonNode header = Json.readStored(row).get(Markers.KEY);
    if (header == null) {
      return null;
    }
    Long number = Markers.number(header.get(0));
    return number == null ? Long.valueOf(-1) : number;
  }
}
