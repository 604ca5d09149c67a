package io.pgtoaster.jsonb.keyed.format;

import io.pgtoaster.internal.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the header of a stub. */
public final class Header {
  private static final String BEGINNING = "\"" + Markers.KEY + "\": ";

  private Header() {}

  /**
   * Reads the number of the document.
   *
   * @param row the value in the owner's row, as PostgreSQL prints it
   * @return its number; null if the document is plain; -1 if pgtoaster did not write the header
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
