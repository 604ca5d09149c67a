package io.pgtoaster.it.hibernate.report;

import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class KeyedRecords implements AsRecords {
  @Id long id;

  @KeyedColumn Invoice doc;

  KeyedRecords() {}

  KeyedRecords(long id, Invoice invoice) {
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
