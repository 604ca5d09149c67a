package io.pgtoaster.it.kit;

import io.pgtoaster.jsonb.JsonCapability;
import java.util.Set;

/**
 * The column of documents that a contract runs on.
 *
 * @param toaster its name
 * @param type of the column
 * @param options for attach, as JSON; null to leave the column out of the catalog
 * @param key how rows are addressed
 * @param capabilities what the toaster can do beyond what all can
 */
public record DocumentSpec(
    String toaster,
    String type,
    String options,
    ColumnSpec.Key key,
    Set<JsonCapability> capabilities) {
  /** Not in the catalog: plain jsonb under the same API. */
  public static DocumentSpec stock() {
    return new DocumentSpec("default", "jsonb", null, ColumnSpec.Key.NUMBER, Set.of());
  }

  public static DocumentSpec attachedStock() {
    return new DocumentSpec("default", "jsonb", "{}", ColumnSpec.Key.UUID, Set.of());
  }

  public static DocumentSpec postgresPro() {
    return new DocumentSpec("postgrespro-jsonb", "jsonb", "{}", ColumnSpec.Key.NUMBER, Set.of());
  }

  public static DocumentSpec keyed(String options) {
    return keyed(options, ColumnSpec.Key.NUMBER);
  }

  public static DocumentSpec keyed(String options, ColumnSpec.Key key) {
    return new DocumentSpec("keyed", "jsonb", options, key, Set.of(JsonCapability.values()));
  }

  /** Whether members of documents live in tables of their own. */
  public boolean hasStore() {
    return toaster.equals("keyed");
  }

  String createTable() {
    return "CREATE TABLE item ("
        + key.columns()
        + ", name text NOT NULL DEFAULT '', doc "
        + type
        + ")";
  }
}
