package io.pgtoaster.benchmarks;

import static io.pgtoaster.benchmarks.Bars.costs;
import static io.pgtoaster.benchmarks.Bars.require;
import static io.pgtoaster.benchmarks.Bars.tell;
import static io.pgtoaster.benchmarks.Bars.timed;

import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.data.PartsStream;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Arrays with millions of elements, and documents larger than the memory of this JVM. */
final class DocumentBars {
  private DocumentBars() {}

  private static DocumentColumn column(Workplace workplace) throws Exception {
    return workplace
        .toaster()
        .documents(ColumnName.of("bench", workplace.table("jsonb", "keyed", 0), "data"));
  }

  /** Inserts, appends and removes elements of a long array at different positions. */
  static void array(Workplace workplace, int elements) throws Exception {
    int edits = Math.min(500, elements / 10);
    DocumentColumn column = column(workplace);
    PartsStream numbers = new PartsStream("{\"items\": [", elements, i -> Long.toString(i), "]}");
    timed("put " + elements + " numbers", () -> column.putJson(0L, numbers));
    Map<String, String> places = new LinkedHashMap<>();
    places.put("at the front", "items[0]");
    places.put("in the middle", "items[" + elements / 2 + "]");
    places.put("at the end", "items[-1]");
    for (Map.Entry<String, String> place : places.entrySet()) {
      String path = place.getValue();
      costs(workplace, "insert " + place.getKey(), edits, () -> column.at(0L, path).insert(12_345));
      costs(
          workplace,
          "remove " + place.getKey(),
          edits,
          () -> require(column.at(0L, path).remove(), "nothing was removed"));
    }
    costs(workplace, "append", edits, () -> column.at(0L, "items").append(12_345));
    require(column.verify(0L).isEmpty(), "verify found damage");
  }

  /** Stores, streams out and reads a document of the given size, and changes it by path. */
  static void huge(Workplace workplace, int megabytes) throws Exception {
    DocumentColumn column = column(workplace);
    tell("heap: %d MB", Runtime.getRuntime().maxMemory() >> 20);
    long count = Math.max(10, ((long) megabytes << 20) / 115);
    long middle = count / 2;
    timed("put " + count + " parts", () -> column.putJson(0L, document(count)));
    CRC32C crc = new CRC32C();
    try (OutputStream out = new CheckedOutputStream(OutputStream.nullOutputStream(), crc)) {
      timed("streamed", () -> column.load(0L, out));
    }
    require(crc.getValue() == Checksums.of(document(count)), "the streamed bytes differ");
    DocumentValue parts = column.at(0L, "parts");
    DocumentValue title = column.at(0L, "parts[" + middle + "].title");
    timed("read a short key", () -> column.at(0L, "height").get());
    timed("read in the middle", () -> title.get());
    timed("set in the middle", () -> title.set("changed"));
    timed("insert at the front", () -> column.at(0L, "parts[0]").insert("first"));
    timed("append", () -> parts.append("last"));
    timed("slice of 100", () -> parts.slice(middle, middle + 100));
    require(parts.size().orElse(0) == count + 2, "parts are missing");
    require(string(column, "parts[0]").equals("first"), "nothing was inserted");
    require(string(column, "parts[-1]").equals("last"), "nothing was appended");
    require(
        string(column, "parts[" + (middle + 1) + "].title").equals("changed"), "nothing was set");
    timed("put unchanged", () -> tell("%s", column.putJson(0L, document(count))));
    tell("on disk: %.0f MB", workplace.diskBytes() / (1 << 20));
  }

  private static InputStream document(long count) {
    return new PartsStream(
        "{\"id\": \"huge\", \"parts\": [",
        count,
        i -> DocumentSet.role(new Random(i)),
        "], \"height\": \"180 cm\"}");
  }

  private static String string(DocumentColumn column, String path) {
    return column.at(0L, path).get().orElseThrow().asString();
  }
}
