package io.pgtoaster.benchmarks.contender.orm;

import io.hypersistence.utils.hibernate.type.json.JsonType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import org.hibernate.annotations.Type;

@Entity
class HypersistenceActor implements ActorMap {
  @Id long id = 1;

  @Type(JsonType.class)
  @Column(columnDefinition = "jsonb")
  Map<String, Object> doc = Map.of();

  HypersistenceActor() {}

  HypersistenceActor(Map<String, Object> doc) {
    this.doc = doc;
  }

  @Override
  public Map<String, Object> document() {
    return doc;
  }
}
