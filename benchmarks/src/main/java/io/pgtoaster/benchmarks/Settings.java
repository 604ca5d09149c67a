package io.pgtoaster.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param questions in order
 * @param named the values of {@code --name value}
 */
record Settings(List<String> questions, Map<String, String> named) {
  static Settings parse(String... arguments) {
    List<String> questions = new java.util.ArrayList<>();
    Map<String, String> named = new TreeMap<>();
    for (int i = 0; i < arguments.length; i++) {
      if (!arguments[i].startsWith("--")) {
        questions.add(arguments[i]);
      } else if (i + 1 < arguments.length) {
        named.put(arguments[i].substring(2), arguments[++i]);
      } else {
        throw new IllegalArgumentException(arguments[i] + " needs a value");
      }
    }
    return new Settings(List.copyOf(questions), Map.copyOf(named));
  }

  @Nullable String text(String name) {
    return named.get(name);
  }

  int number(String name, int otherwise) {
    String given = named.get(name);
    return given == null ? otherwise : Integer.parseInt(given);
  }

  /** Megabytes, in bytes. */
  long megabytes(String name, int otherwise) {
    return (long) number(name, otherwise) << 20;
  }
}
