package io.pgtoaster.it.hibernate.report;

import io.hypersistence.utils.hibernate.type.json.JsonType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import org.hibernate.annotations.Type;

@Entity
class HypersistenceMap implements AsMap {
  @Id long id;

  @Type(JsonType.class)
  @Column(columnDefinition = "jsonb")
  Map<String, Object> doc;

  HypersistenceMap() {}

  HypersistenceMap(long id, Invoice invoice) {
    this.id = id;
    this.doc = AsMap.of(invoice);
  }

  @Override
  public Map<String, Object> document() {
    return doc;
  }
}
