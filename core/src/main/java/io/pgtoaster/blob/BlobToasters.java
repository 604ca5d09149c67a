package io.pgtoaster.blob;

import io.pgtoaster.column.Toasters;

/** The blob toasters on the class path. */
public final class BlobToasters {
  private BlobToasters() {}

  /**
   * Loads the toasters that {@link java.util.ServiceLoader} finds.
   *
   * @return the registry
   */
  public static Toasters<BlobToaster> load() {
    return Toasters.load(BlobToaster.class, "blob");
  }
}
