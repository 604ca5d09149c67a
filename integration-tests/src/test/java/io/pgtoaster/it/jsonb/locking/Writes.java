package io.pgtoaster.it.jsonb.locking;

import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Calls of every kind that change one document in the row, in a leaf, in the structure of a branch,
 * or completely.
 *
 * @param name a description of the call
 * @param call executes the write
 */
public record Writes(String name, Call call) {
  private static final String OBJECT = "{\"set\": [1, 2], \"text\": \"instead of another\"}";

  @FunctionalInterface
  public interface Call {
    void on(DocumentColumn documents, Object key) throws Exception;
  }

  /** Executes the write. Changes nothing if another write has removed its place. */
  public void on(DocumentColumn documents, Object key) throws Exception {
    try {
      call.on(documents, key);
    } catch (PathNotFoundException e) {
      // The same write in SQL changes nothing, either.
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private static Writes json(String path, String json) {
    return new Writes(
        "set " + path + " to " + json.length() + " characters",
        (d, key) -> d.at(key, path).set(Json.readTree(json)));
  }

  private static Writes remove(String path) {
    return new Writes("remove " + path, (d, key) -> d.at(key, path).remove());
  }

  /** Returns a document with a few leaves; its list starts with the given element. */
  public static String document(int from, int size) {
    String list =
        IntStream.range(from, from + size).mapToObj(Writes::part).collect(Collectors.joining(", "));
    String map =
        IntStream.range(0, size)
            .mapToObj(i -> "\"k%03d\": %s".formatted(i, part(i + 500)))
            .collect(Collectors.joining(", "));
    return ("{\"n\": 1, \"s\": \"short\", \"list\": [%s], \"map\": {%s}, \"deep\": {\"in\": {\"n\": 5, \"rows\":"
            + " [%s]}}, \"text\": \"%s\"}")
        .formatted(list, map, list, Documents.words(9, 900));
  }

  private static String part(int i) {
    return "{\"no\": %d, \"t\": \"%s\"}".formatted(i, Documents.words(i, 40));
  }

  /** Returns the writes that change only one small place. */
  public static List<Writes> holders() {
    return List.of(
        json("list[3]", OBJECT),
        json("map.k003", OBJECT),
        json("deep.in.rows[2]", OBJECT),
        json("list[-2]", OBJECT));
  }

  public static List<Writes> all() {
    String large = "{\"large\": \"" + Documents.words(77, 1500) + "\"}";
    String middle = "{\"middle\": \"" + Documents.words(78, 300) + "\"}";
    return List.of(
        new Writes("set list[3].t", (d, key) -> d.at(key, "list[3].t").set("another")),
        json("list[3]", OBJECT),
        json("list[4]", large),
        json("list[5].t", middle),
        new Writes("set list[-3].t", (d, key) -> d.at(key, "list[-3].t").set("another")),
        json("list[-2]", OBJECT),
        new Writes(
            "insert list[0]", (d, key) -> d.at(key, "list[0]").insert(Json.readTree(middle))),
        new Writes("insert list[6]", (d, key) -> d.at(key, "list[6]").insert(Json.readTree(large))),
        new Writes("append list", (d, key) -> d.at(key, "list").append(Json.readTree(middle))),
        remove("list[0]"),
        remove("list[3]"),
        new Writes(
            "remove six of list",
            (d, key) -> {
              for (int i = 0; i < 6; i++) {
                d.at(key, "list[1]").remove();
              }
            }),
        remove("list[-1]"),
        new Writes("set map.k003.t", (d, key) -> d.at(key, "map.k003.t").set("another")),
        json("map.k003", OBJECT),
        json("map.k004", large),
        json("map.k0045", middle),
        json("map.k011", middle),
        remove("map.k003"),
        new Writes(
            "remove six of map",
            (d, key) -> {
              for (int i = 0; i < 6; i++) {
                d.at(key, "map.k00" + i).remove();
              }
            }),
        new Writes("increment deep.in.n", (d, key) -> d.at(key, "deep.in.n").increment(3)),
        json("deep.in.rows[2]", OBJECT),
        new Writes("append deep.in.rows", (d, key) -> d.at(key, "deep.in.rows").append(1)),
        remove("deep.in"),
        remove("list"),
        json("list", "[]"),
        json("map", OBJECT),
        new Writes("set n", (d, key) -> d.at(key, "n").set(99)),
        new Writes("increment n", (d, key) -> d.at(key, "n").increment(3)),
        json("added", large),
        new Writes("put rotated", (d, key) -> d.putJson(key, document(7, 20))),
        new Writes("put shorter", (d, key) -> d.putJson(key, document(0, 9))),
        new Writes("put small", (d, key) -> d.putJson(key, "{\"x\": 1, \"n\": 2}")),
        new Writes("clear", DocumentColumn::clear),
        new Writes("compact", (d, key) -> d.compact(key)),
        new Writes("merge", (d, key) -> d.mergeJson(key, "{\"deep\": null, \"n\": 7}")));
  }
}
