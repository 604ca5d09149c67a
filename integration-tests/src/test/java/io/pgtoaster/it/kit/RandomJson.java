package io.pgtoaster.it.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random JSON texts with edge cases: odd numbers, keys that look like positions, escapes.
 *
 * @param duplicates whether objects may have duplicate keys
 */
public record RandomJson(Random random, boolean duplicates) {
  private static final String[] NUMBERS = {
    "0", "-0", "1", "-1", "10", "9999", "10000", "123456789", "-9223372036854775809", "1.00",
    "0.0", "-0.00", "1e2", "1.50E+3", "-1.5e-10", "0e7", "0e-7", "0.00100e1", "1e25", "3.14159",
    "100000000000000000000.00000000000000000001"
  };
  private static final String[] PIECES = {
    "a",
    "Z",
    "hello",
    " ",
    "é",
    "€",
    "😀",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u0001",
    "\\u001f",
    "\\u00e9",
    "\\uD83D\\uDE00",
    "\u007f",
    "\u0080",
    "\u2028",
    "\uffee",
    "$",
    "{",
    "[",
    "]",
    ",",
    ":"
  };
  private static final String[] KEYS = {
    "a",
    "b",
    "cc",
    "0",
    "1",
    "-1",
    "01",
    "é",
    "€",
    "😀",
    "\uffee",
    "",
    "long key",
    "a\\\"$pgtoaster",
    "$$pgtoaster",
    "k\\n",
    "\\u0061"
  };
  private static final String[] STEPS = {
    "a",
    "b",
    "cc",
    "0",
    "1",
    "2",
    "-1",
    "-2",
    "-9",
    "9",
    "01",
    "+1",
    " 1",
    "1 ",
    "é",
    "",
    "long key",
    "x",
    "2147483647",
    "-2147483648",
    "2147483648",
    "1.0",
    "-"
  };
  private static final String SPOILERS = "{}[],:\"\\ 0159.eE+-truefalsn\t/u";

  private String any(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Returns a value of any type. */
  public String value(int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 9)) {
      case 0 -> any(new String[] {"true", "false", "null"});
      case 1, 2 -> number();
      case 3, 4 -> string();
      case 5, 6 -> container('[', ']', depth);
      default -> container('{', '}', depth);
    };
  }

  /** Returns a value, usually an object or array. */
  public String document(int depth) {
    return switch (random.nextInt(10)) {
      case 0 -> value(0);
      case 1, 2, 3, 4 -> container('[', ']', depth);
      default -> container('{', '}', depth);
    };
  }

  public String number() {
    return random.nextInt(3) == 0 ? Integer.toString(random.nextInt(100_000)) : any(NUMBERS);
  }

  public String string() {
    StringBuilder text = new StringBuilder("\"");
    for (int n = random.nextInt(6); n > 0; n--) {
      text.append(any(PIECES));
    }
    return text.append('"').toString();
  }

  private String container(char open, char close, int depth) {
    StringBuilder text = new StringBuilder().append(open);
    int size = random.nextInt(5);
    for (int i = 0; i < size; i++) {
      text.append(i == 0 ? "" : any(new String[] {",", " ,", ", ", ",\n"}));
      if (open == '{') {
        text.append('"').append(any(KEYS)).append(duplicates ? "" : "#" + i);
        text.append(any(new String[] {"\":", "\" : "}));
      }
      text.append(value(Math.max(depth - 1, 0)));
    }
    return text.append(close).toString();
  }

  /** Returns steps that sometimes lead to a value. */
  public List<String> path() {
    List<String> steps = new ArrayList<>();
    for (int n = random.nextInt(4); n > 0; n--) {
      steps.add(any(STEPS));
    }
    return steps;
  }

  /** Returns a text with some characters removed, added or replaced. */
  public String spoiled(String text) {
    StringBuilder spoiled = new StringBuilder(text);
    for (int n = 1 + random.nextInt(2); n > 0; n--) {
      int at = random.nextInt(spoiled.length() + 1);
      char c = SPOILERS.charAt(random.nextInt(SPOILERS.length()));
      int kind = random.nextInt(3);
      if (kind == 0 || at == spoiled.length()) {
        spoiled.insert(at, c);
      } else if (Character.isSurrogate(spoiled.charAt(at))) {
        spoiled.insert(spoiled.length(), c);
      } else if (kind == 1) {
        spoiled.deleteCharAt(at);
      } else {
        spoiled.setCharAt(at, c);
      }
    }
    int half = halfPair(spoiled);
    return half < 0 ? spoiled.toString() : text;
  }

  private static int halfPair(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isLowSurrogate(text.charAt(i))
          && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)))) {
        return i;
      }
    }
    return -1;
  }
}
