package io.pgtoaster.it.hibernate.report;

import io.hypersistence.utils.hibernate.type.json.JsonType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.Type;

@Entity
class HypersistenceBean implements AsBean {
  @Id long id;

  @Type(JsonType.class)
  @Column(columnDefinition = "jsonb")
  Bean doc;

  HypersistenceBean() {}

  HypersistenceBean(long id, Invoice invoice) {
    this.id = id;
    this.doc = Bean.of(invoice);
  }

  @Override
  public Bean document() {
    return doc;
  }
}
