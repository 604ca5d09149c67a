package io.pgtoaster.it.hibernate.report;

import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;

@Entity
class KeyedMap implements AsMap {
  @Id long id;

  @KeyedColumn Map<String, Object> doc;

  KeyedMap() {}

  KeyedMap(long id, Invoice invoice) {
    this.id = id;
    this.doc = AsMap.of(invoice);
  }

  @Override
  public Map<String, Object> document() {
    return doc;
  }
}
