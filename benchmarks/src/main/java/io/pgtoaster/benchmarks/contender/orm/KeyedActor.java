package io.pgtoaster.benchmarks.contender.orm;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;

@Entity
class KeyedActor implements Actor {
  @Id long id = 1;
  KeyedJson<Map<String, Object>> doc = KeyedJson.of(Map.of());

  KeyedActor() {}

  KeyedActor(Map<String, Object> doc) {
    this.doc = KeyedJson.of(doc);
  }

  @Override
  public String read() {
    return "" + doc.get("id") + doc.get("imdb_id") + height();
  }

  @Override
  public String height() {
    return doc.get("height", String.class).orElseThrow();
  }

  @Override
  public int roles() {
    return Math.toIntExact(doc.size("roles").orElseThrow());
  }

  @Override
  public void changeHeight(String height) {
    doc.set("height", height);
  }

  @Override
  public void addRole(Map<String, Object> role) {
    doc.append("roles", role);
  }
}
