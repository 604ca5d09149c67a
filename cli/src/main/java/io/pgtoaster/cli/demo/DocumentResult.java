package io.pgtoaster.cli.demo;

import io.pgtoaster.jsonb.keyed.KeyedToaster;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the demonstration found of documents.
 *
 * @param titles names of the ways to store them for people, by their names
 * @param measures what was done, in words for people, by its name
 * @param millis milliseconds by what was done, way and size of the document
 * @param walBytes write-ahead log by what was done, way and size of the document
 */
public record DocumentResult(
    Map<String, String> titles,
    Map<String, String> measures,
    Map<String, Map<String, Map<String, Double>>> millis,
    Map<String, Map<String, Map<String, Double>>> walBytes) {
  /** The name of pgtoaster's own way. */
  public static final String OWN = KeyedToaster.NAME;

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    millis.forEach((name, figures) -> map.put(name + "_ms", DemoResult.nested(figures, 3)));
    walBytes.forEach(
        (name, figures) -> map.put(name + "_wal_bytes", DemoResult.nested(figures, 0)));
    return map;
  }
}
