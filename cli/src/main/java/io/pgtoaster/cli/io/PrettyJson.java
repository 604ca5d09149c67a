package io.pgtoaster.cli.io;

import io.pgtoaster.cli.terminal.StandardOutput;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Formats JSON while it is read, with one line per member and element. */
final class PrettyJson {
  private static final String STEP = "  ";

  private final JsonParser parser;
  private final Writer out;
  private final StandardOutput target;
  private final boolean terminal;
  private int depth;
  private boolean nothingYet = true;

  private PrettyJson(JsonParser parser, StandardOutput target, boolean terminal) {
    this.parser = parser;
    this.out = new OutputStreamWriter(target, StandardCharsets.UTF_8);
    this.target = target;
    this.terminal = terminal;
  }

  /**
   * Writes a value and ends the line.
   *
   * @param parser positioned before the value
   * @param out receives the text
   * @param terminal whether to escape terminal control characters
   */
  static void write(JsonParser parser, StandardOutput out, boolean terminal) throws IOException {
    PrettyJson pretty = new PrettyJson(parser, out, terminal);
    pretty.run();
    pretty.out.write('\n');
    pretty.out.flush();
  }

  private void run() throws IOException {
    boolean first = true;
    boolean named = false;
    for (@Nullable JsonToken t = parser.nextToken(); t != null; t = parser.nextToken()) {
      if (target.readerHasClosed()) {
        return;
      }
      boolean ends = t == JsonToken.END_OBJECT || t == JsonToken.END_ARRAY;
      if (ends) {
        depth--;
      }
      if (!named && !(ends && first)) {
        separate(ends || first);
      }
      token(t);
      nothingYet = false;
      named = t == JsonToken.PROPERTY_NAME;
      first = t == JsonToken.START_OBJECT || t == JsonToken.START_ARRAY;
      depth += first ? 1 : 0;
    }
  }

  private void separate(boolean noComma) throws IOException {
    if (!noComma) {
      out.write(',');
    }
    if (depth > 0 || !nothingYet) {
      out.write('\n');
      for (int i = 0; i < depth; i++) {
        out.write(STEP);
      }
    }
  }

  private void token(JsonToken token) throws IOException {
    switch (token) {
      case START_OBJECT -> out.write('{');
      case END_OBJECT -> out.write('}');
      case START_ARRAY -> out.write('[');
      case END_ARRAY -> out.write(']');
      case PROPERTY_NAME -> {
        string(parser.getString());
        out.write(": ");
      }
      case VALUE_STRING -> string(parser.getString());
      default -> out.write(parser.getString());
    }
  }

  private void string(String text) throws IOException {
    StringBuilder quoted = new StringBuilder(text.length() + 2);
    io.pgtoaster.internal.json.JsonbText.string(text, quoted);
    if (!terminal) {
      out.append(quoted);
      return;
    }
    for (int i = 0; i < quoted.length(); i++) {
      char c = quoted.charAt(i);
      int type = Character.getType(c);
      boolean control =
          type == Character.CONTROL
              || type == Character.FORMAT
              || type == Character.LINE_SEPARATOR
              || type == Character.PARAGRAPH_SEPARATOR;
      if (control) {
        out.write(String.format("\\u%04x", (int) c));
      } else {
        out.write(c);
      }
    }
  }
}
