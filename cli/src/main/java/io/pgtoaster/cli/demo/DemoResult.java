package io.pgtoaster.cli.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the demonstration found.
 *
 * @param stream the file's way in and out
 * @param titles names of the contenders for people, by their names
 * @param appendRate megabytes (10⁶ bytes) per second by contender
 * @param readRate megabytes per second by contender
 * @param appendMillis milliseconds for one byte by contender and size of the value
 * @param appendWalBytes write-ahead log of one byte by contender and size of the value
 * @param documents what came of the documents
 * @param environment what it ran on
 * @param notes what is to be known of the figures
 */
public record DemoResult(
    StreamResult stream,
    Map<String, String> titles,
    Map<String, Double> appendRate,
    Map<String, Double> readRate,
    Map<String, Map<String, Double>> appendMillis,
    Map<String, Map<String, Double>> appendWalBytes,
    DocumentResult documents,
    Map<String, Object> environment,
    List<String> notes) {
  /**
   * Returns the figures under the names of the JSON.
   *
   * @return nested maps of strings, numbers and booleans
   */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("sha256_equal", stream.equal());
    map.put("sha256", stream.sha256());
    map.put("append_mb_s", rounded(appendRate, 1));
    map.put("read_mb_s", rounded(readRate, 1));
    map.put("one_byte_append_ms", nested(appendMillis, 3));
    map.put("one_byte_append_wal_bytes", nested(appendWalBytes, 0));
    map.put("follow_lag_ms", round(stream.followLagMillis(), 1));
    map.put("documents", documents.toMap());
    map.put("environment", environment);
    map.put("notes", notes);
    return map;
  }

  static Map<String, Map<String, Number>> nested(Map<String, Map<String, Double>> map, int digits) {
    Map<String, Map<String, Number>> result = new LinkedHashMap<>();
    map.forEach((name, row) -> result.put(name, rounded(row, digits)));
    return result;
  }

  private static Map<String, Number> rounded(Map<String, Double> map, int digits) {
    Map<String, Number> result = new LinkedHashMap<>();
    map.forEach((name, value) -> result.put(name, round(value, digits)));
    return result;
  }

  private static Number round(double value, int digits) {
    double factor = Math.pow(10, digits);
    return digits == 0
        ? (Number) Math.round(value)
        : (Number) (Math.round(value * factor) / factor);
  }
}
