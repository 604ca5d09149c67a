package io.pgtoaster.it.hibernate.report;

import io.pgtoaster.it.kit.Documents;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;

/**
 * The document as records, with small members and three big ones.
 *
 * @param status a small member that the test changes
 * @param lines lines by number; the test changes the quantity of one
 */
record Invoice(
    String title,
    String status,
    int revision,
    Map<String, String> customer,
    Map<String, Line> lines,
    List<Event> history,
    String notes)
    implements Serializable {
  /** The line that the test reads and changes. */
  static final String LINE = "l77";

  record Line(String text, double price, int quantity, List<String> tags) implements Serializable {}

  record Event(long at, String who, String what) implements Serializable {}

  /** About 280 bytes per line. */
  static Invoice of(long seed, int size) {
    Random random = new Random(seed);
    Map<String, Line> lines = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      List<String> tags = List.of("t" + random.nextInt(50), "t" + random.nextInt(50));
      String text = text(random, 70);
      lines.put("l" + i, new Line(text, random.nextInt(10_000) / 100d, random.nextInt(90), tags));
    }
    List<Event> history = new ArrayList<>();
    for (int i = 0; i < size * 3 / 5; i++) {
      long at = 1_700_000_000_000L + i * 60_000L + random.nextInt(60_000);
      history.add(new Event(at, "user" + random.nextInt(40), text(random, 60)));
    }
    return new Invoice(
        "Invoice of the year",
        "open",
        7,
        Map.of("name", "Ada & Sons", "city", "Lübeck"),
        lines,
        history,
        text(random, size * 40));
  }

  private static String text(Random random, int length) {
    return Documents.words(random.nextLong(), length);
  }

  String json() {
    return JsonMapper.shared().writeValueAsString(this);
  }

  Invoice withStatus(String changed) {
    return new Invoice(title, changed, revision, customer, lines, history, notes);
  }

  Invoice withQuantity(int changed) {
    Line old = lines.get(LINE);
    Map<String, Line> all = new LinkedHashMap<>(lines);
    all.put(LINE, new Line(old.text(), old.price(), changed, old.tags()));
    return new Invoice(title, status, revision, customer, all, history, notes);
  }
}
