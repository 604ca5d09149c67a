package io.pgtoaster.column;

import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.Positions;
import java.util.ArrayList;
import java.util.List;

/** Parses paths of the form {@code roles[5].title}. */
final class DotParser {
  private static final String NO_NAME = ".[]\"'";
  private static final int HEX = 16;
  private static final int HEX_DIGITS = 4;

  private final String text;
  private int at;

  DotParser(String text) {
    this.text = text;
  }

  private static boolean looksLikeJsonPath(String text) {
    return text.equals("$") || text.startsWith("$.") || text.startsWith("$[");
  }

  /** Returns whether a path can contain this step without quotes, after a dot or at the front. */
  static boolean isName(String step) {
    if (step.isEmpty() || step.equals("$") || step.charAt(0) == '/') {
      return false;
    }
    return step.chars().noneMatch(c -> NO_NAME.indexOf(c) >= 0 || c == '\\' || c < ' ');
  }

  List<String> parse() {
    if (looksLikeJsonPath(text)) {
      throw wrong("a path does not begin with $: write roles[5].title, and the key $ as [\"$\"]");
    }
    List<String> steps = new ArrayList<>();
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '[') {
        at++;
        steps.add(bracketed());
      } else if (steps.isEmpty()) {
        steps.add(name());
      } else if (c == '.') {
        at++;
        steps.add(name());
      } else {
        throw wrong("a dot or [ is expected");
      }
    }
    return steps;
  }

  private String name() {
    int from = at;
    while (at < text.length() && NO_NAME.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    boolean ends = at == text.length() || text.charAt(at) == '.' || text.charAt(at) == '[';
    if (!ends) {
      throw wrong("a key with this character needs quotes, as in [\"...\"]");
    }
    if (at == from) {
      throw wrong("a key is expected; write an empty key as [\"\"]");
    }
    return text.substring(from, at);
  }

  private String bracketed() {
    char c = at < text.length() ? text.charAt(at) : ']';
    String step = c == '"' || c == '\'' ? quoted(c) : position();
    if (at == text.length() || text.charAt(at) != ']') {
      throw wrong("] is expected");
    }
    at++;
    return step;
  }

  private String position() {
    int from = at;
    while (at < text.length() && text.charAt(at) != ']') {
      at++;
    }
    String step = text.substring(from, at);
    if (!Positions.isPlain(step)) {
      at = from;
      throw wrong("a position or a key in quotes is expected");
    }
    return step;
  }

  private String quoted(char quote) {
    StringBuilder key = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != quote) {
      char c = text.charAt(at++);
      key.append(c == '\\' ? escaped() : c);
    }
    if (at == text.length()) {
      throw wrong("a closing quote is expected");
    }
    at++;
    return key.toString();
  }

  private char escaped() {
    char c = at < text.length() ? text.charAt(at) : 0;
    at++;
    return switch (c) {
      case '"', '\'', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> {
        at--;
        throw wrong("after a backslash, one of \"'\\/bfnrtu is expected");
      }
    };
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
      char c = at < text.length() ? text.charAt(at) : 0;
      int digit = c < 0x80 ? Character.digit(c, HEX) : -1;
      if (digit < 0) {
        throw wrong("four hexadecimal digits are expected");
      }
      code = code * HEX + digit;
      at++;
    }
    return (char) code;
  }

  private InvalidPathException wrong(String what) {
    return unreadable(at, what);
  }

  static InvalidPathException unreadable(int index, String what) {
    return new InvalidPathException(
        "the path cannot be read at character " + (index + 1) + ": " + what);
  }
}
