package io.pgtoaster.benchmarks.contender.orm;

import java.util.List;
import java.util.Map;

/** The document as maps and lists, changed in place. */
interface ActorMap extends Actor {
  Map<String, Object> document();

  @Override
  default String read() {
    return "" + document().get("id") + document().get("imdb_id") + height();
  }

  @Override
  default String height() {
    return String.valueOf(document().get("height"));
  }

  @SuppressWarnings("unchecked") // JSON arrays are lists here
  private List<Object> list() {
    return (List<Object>) document().getOrDefault("roles", List.of());
  }

  @Override
  default int roles() {
    return list().size();
  }

  @Override
  default void changeHeight(String height) {
    document().put("height", height);
  }

  @Override
  default void addRole(Map<String, Object> role) {
    list().add(role);
  }
}
