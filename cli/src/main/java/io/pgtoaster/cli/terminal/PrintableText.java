package io.pgtoaster.cli.terminal;

/** Makes text from a database safe to display: control characters must not reach the terminal. */
public final class PrintableText {
  private PrintableText() {}

  /**
   * Escapes control characters.
   *
   * @param text any text
   * @return one line, with {@code \n}, {@code \t} or {@code \\u001B} for unprintable characters
   */
  public static String of(String text) {
    StringBuilder printable = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\n' -> printable.append("\\n");
                case '\r' -> printable.append("\\r");
                case '\t' -> printable.append("\\t");
                default -> {
                  int type = Character.getType(c);
                  boolean control =
                      Character.isISOControl(c)
                          || type == Character.FORMAT
                          || type == Character.LINE_SEPARATOR
                          || type == Character.PARAGRAPH_SEPARATOR;
                  if (control) {
                    printable.append(String.format("\\u%04X", c));
                  } else {
                    printable.appendCodePoint(c);
                  }
                }
              }
            });
    return printable.toString();
  }
}
