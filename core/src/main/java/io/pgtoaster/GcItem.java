package io.pgtoaster;

/** An item that {@link Catalog#gc} found. */
public sealed interface GcItem permits GarbageCollection.FoundItem {
  /** {@return number of the store} */
  int store();

  /**
   * {@return {@code blob} or {@code document}: no row references it; {@code garbage}: content that
   * was released and is not deleted yet; {@code token}: writers of a blob that have stopped
   * appending; {@code store}: its column no longer exists; {@code kept}: a document that a row
   * references although no row owns it; toasters from other jars use other words}
   */
  String kind();

  /** {@return id of the blob or document, or number of the store} */
  long id();

  /** {@return approximate number of bytes that it uses} */
  long bytes();

  /** {@return a human-readable description} */
  String description();
}
