package io.pgtoaster;

/** Something that {@link Catalog#gc} found. */
public sealed interface GcItem permits GarbageCollection.FoundItem {
  /** {@return number of the store} */
  int store();

  /**
   * {@return {@code blob} or {@code document}: no row names it; {@code garbage}: content released
   * and not swept yet; {@code token}: writers of a blob that fell silent; {@code store}: its column
   * is gone; {@code kept}: a document that a row names though none owns it; of a toaster from
   * elsewhere a word of its own}
   */
  String kind();

  /** {@return id of the blob or document, or number of the store} */
  long id();

  /** {@return bytes that it holds, about} */
  long bytes();

  /** {@return a text for a human reader} */
  String description();
}
