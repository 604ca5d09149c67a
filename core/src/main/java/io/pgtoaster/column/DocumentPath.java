package io.pgtoaster.column;

import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.Positions;
import java.util.ArrayList;
import java.util.List;

/**
 * A path into a document: object keys and array positions, outermost first. As in PostgreSQL's
 * {@code #>}, the value to which a step is applied determines whether the step is a key or a
 * position: {@code 5} is the sixth element of an array and the member {@code "5"} of an object.
 * Negative positions count from the end. Immutable.
 *
 * <p>The text form is {@code roles[5].title}, with other keys in quotes, as in {@code ["a.b"]}. A
 * JSON Pointer such as {@code /roles/5/title} is accepted, too.
 *
 * <pre>{@code
 * DocumentPath same = DocumentPath.parse("roles[5].title");
 * same = DocumentPath.parse("/roles/5/title");
 * same = DocumentPath.of("roles", 5, "title"); // for variables with any content
 * }</pre>
 *
 * @param steps keys and positions
 */
public record DocumentPath(List<String> steps) {
  /** The maximum number of steps in a path. */
  public static final int MAX_STEPS = 2_000;

  private static final DocumentPath ROOT = new DocumentPath(List.of());

  /**
   * Copies the steps.
   *
   * @param steps keys and positions
   * @throws InvalidPathException if there are more than {@link #MAX_STEPS}
   */
  public DocumentPath {
    if (steps.size() > MAX_STEPS) {
      throw new InvalidPathException(
          ("the path has %s steps, but DocumentPath.MAX_STEPS is %s; read a value on the path,"
                  + " and continue from there")
              .formatted(steps.size(), MAX_STEPS));
    }
    steps = List.copyOf(steps);
  }

  /** Returns the path of the whole document. */
  public static DocumentPath root() {
    return ROOT;
  }

  /**
   * Parses a path. Text that is empty or begins with {@code /} is a JSON Pointer (RFC 6901). Any
   * other text consists of keys separated by dots and positions in brackets: {@code
   * roles[5].title}, {@code roles[-1]}. A key that is empty or {@code $}, begins with {@code /}, or
   * contains a dot, bracket or quote is written in brackets and quotes of either kind: {@code
   * a["b.c"]}, {@code ['']}. Inside quotes a backslash escapes as in JSON.
   *
   * @throws InvalidPathException if the text has neither form; the message names the wrong
   *     character
   */
  public static DocumentPath parse(String text) {
    if (text.isEmpty()) {
      return ROOT;
    }
    return new DocumentPath(
        text.charAt(0) == '/' ? pointerSteps(text) : new DotParser(text).parse());
  }

  private static List<String> pointerSteps(String text) {
    List<String> steps = new ArrayList<>();
    StringBuilder step = new StringBuilder();
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '/') {
        steps.add(step.toString());
        step.setLength(0);
      } else if (c != '~') {
        step.append(c);
      } else {
        i++;
        char escaped = i < text.length() ? text.charAt(i) : 0;
        if (escaped != '0' && escaped != '1') {
          throw DotParser.unreadable(i, "after ~, 0 or 1 is expected");
        }
        step.append(escaped == '0' ? '~' : '/');
      }
    }
    steps.add(step.toString());
    return steps;
  }

  /** Creates a path of strings for keys and whole numbers for positions. */
  public static DocumentPath of(Object... steps) {
    List<String> texts = new ArrayList<>();
    for (Object step : steps) {
      texts.add(step.toString());
    }
    return new DocumentPath(texts);
  }

  /** Returns this path followed by the key of an object's member. */
  public DocumentPath key(String key) {
    return plus(key);
  }

  /**
   * Returns this path followed by the position of an array's element, from 0. A negative position
   * counts from the end.
   */
  public DocumentPath index(long position) {
    return plus(Long.toString(position));
  }

  private DocumentPath plus(String step) {
    List<String> longer = new ArrayList<>(steps);
    longer.add(step);
    return new DocumentPath(longer);
  }

  /** Returns the first steps of this path. */
  public DocumentPath first(int count) {
    return new DocumentPath(steps.subList(0, count));
  }

  /** Returns whether this is the path of the whole document. */
  public boolean isRoot() {
    return steps.isEmpty();
  }

  /** Returns this path as a JSON Pointer, which {@link #parse} reads; empty for the root. */
  public String toPointer() {
    StringBuilder text = new StringBuilder();
    for (String step : steps) {
      text.append('/').append(step.replace("~", "~0").replace("/", "~1"));
    }
    return text.toString();
  }

  /** Returns this path with dots and brackets, which {@link #parse} reads; empty for the root. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String step : steps) {
      if (Positions.isPlain(step)) {
        text.append('[').append(step).append(']');
      } else if (DotParser.isName(step)) {
        text.append(text.isEmpty() ? "" : ".").append(step);
      } else {
        quote(step, text.append('['));
        text.append(']');
      }
    }
    return text.toString();
  }

  private static void quote(String step, StringBuilder text) {
    text.append('"');
    for (int i = 0; i < step.length(); i++) {
      char c = step.charAt(i);
      if (c < ' ') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    text.append('"');
  }
}
