package io.pgtoaster.it.hibernate.report;

import io.hypersistence.utils.hibernate.type.json.JsonType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.Type;

@Entity
class HypersistenceRecords implements AsRecords {
  @Id long id;

  @Type(JsonType.class)
  @Column(columnDefinition = "jsonb")
  Invoice doc;

  HypersistenceRecords() {}

  HypersistenceRecords(long id, Invoice invoice) {
    this.id = id;
    this.doc = invoice;
  }

  @Override
  public Invoice document() {
    return doc;
  }

  @Override
  public void document(Invoice changed) {
    doc = changed;
  }
}
