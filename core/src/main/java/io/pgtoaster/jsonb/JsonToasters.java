package io.pgtoaster.jsonb;

import io.pgtoaster.column.Toasters;

/** Loads the JSON toasters on the class path. */
public final class JsonToasters {
  private JsonToasters() {}

  /**
   * Loads the toasters that {@link java.util.ServiceLoader} finds.
   *
   * @return the registry
   */
  public static Toasters<JsonToaster> load() {
    return Toasters.load(JsonToaster.class, Toasters.DOCUMENTS);
  }
}
