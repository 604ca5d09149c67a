package io.pgtoaster.it.hibernate.report;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

@Entity
class HibernateRecords implements AsRecords {
  @Id long id;

  @JdbcTypeCode(SqlTypes.JSON)
  Invoice doc;

  HibernateRecords() {}

  HibernateRecords(long id, Invoice invoice) {
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
