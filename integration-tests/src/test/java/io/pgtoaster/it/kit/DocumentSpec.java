package io.pgtoaster.it.kit;

import io.pgtoaster.column.JsonCapability;
import java.util.Set;

/** The document columns on which contracts run. */
public final class DocumentSpec {
  private DocumentSpec() {}

  /** A document column. */
  public static ColumnSpec documents(
      String toaster,
      String type,
      String options,
      ColumnSpec.Key key,
      Set<JsonCapability> capabilities) {
    return new ColumnSpec(DocumentFixture.COLUMN, toaster, type, options, key, capabilities, false);
  }

  /** A column that is not in the catalog, with plain jsonb and the same API. */
  public static ColumnSpec stock() {
    return documents("default", "jsonb", null, ColumnSpec.Key.NUMBER, Set.of());
  }

  public static ColumnSpec attachedStock() {
    return documents("default", "jsonb", "{}", ColumnSpec.Key.UUID, Set.of());
  }

  public static ColumnSpec postgresPro() {
    return documents("postgrespro-jsonb", "jsonb", "{}", ColumnSpec.Key.NUMBER, Set.of());
  }

  public static ColumnSpec keyed(String options) {
    return keyed(options, ColumnSpec.Key.NUMBER);
  }

  public static ColumnSpec keyed(String options, ColumnSpec.Key key) {
    return documents("keyed", "jsonb", options, key, Set.of(JsonCapability.values()));
  }
}
