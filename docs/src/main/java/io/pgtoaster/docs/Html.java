package io.pgtoaster.docs;

/** Escapes text for HTML. */
final class Html {
  private Html() {}

  /** Escapes text, for elements and for attributes in double quotes. */
  static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
