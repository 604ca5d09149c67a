package io.pgtoaster.cli.io;

import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts about an object, printed as lines or JSON. */
public final class Facts {
  private final Map<String, @Nullable Object> facts = new LinkedHashMap<>();

  public Facts add(String name, @Nullable Object value) {
    facts.put(name, value);
    return this;
  }

  public Map<String, @Nullable Object> map() {
    return facts;
  }

  public void print(PrintWriter out, boolean json) {
    if (json) {
      out.println(Json.write(facts));
    } else {
      facts.forEach((name, value) -> out.printf("%-16s %s%n", label(name), shown(name, value)));
    }
    out.flush();
  }

  private static String label(String name) {
    return name.replace('_', ' ') + ":";
  }

  private static String shown(String name, @Nullable Object value) {
    if (value == null) {
      return "unknown";
    }
    boolean bytes = name.endsWith("bytes") || name.equals("length");
    if (bytes && value instanceof Long n && n >= 1000) {
      return n + " (" + ByteSize.format(n) + ")";
    }
    return PrintableText.of(value.toString());
  }
}
