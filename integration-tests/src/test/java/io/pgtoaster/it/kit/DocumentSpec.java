package io.pgtoaster.it.kit;

import io.pgtoaster.it.kit.ColumnSpec.Key;
import io.pgtoaster.jsonb.JsonCapability;
import java.util.Set;

/** The columns of documents that contracts run on. */
public final class DocumentSpec {
  private DocumentSpec() {}

  /** A column of documents. */
  public static ColumnSpec documents(
      String toaster, String type, String options, Key key, Set<JsonCapability> capabilities) {
    return new ColumnSpec(DocumentFixture.COLUMN, toaster, type, options, key, capabilities);
  }

  /** Not in the catalog: plain jsonb under the same API. */
  public static ColumnSpec stock() {
    return documents("default", "jsonb", null, Key.NUMBER, Set.of());
  }

  public static ColumnSpec attachedStock() {
    return documents("default", "jsonb", "{}", Key.UUID, Set.of());
  }

  public static ColumnSpec postgresPro() {
    return documents("postgrespro-jsonb", "jsonb", "{}", Key.NUMBER, Set.of());
  }

  public static ColumnSpec keyed(String options) {
    return keyed(options, Key.NUMBER);
  }

  public static ColumnSpec keyed(String options, Key key) {
    return documents("keyed", "jsonb", options, key, Set.of(JsonCapability.values()));
  }
}
