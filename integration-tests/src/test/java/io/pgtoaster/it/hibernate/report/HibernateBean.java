package io.pgtoaster.it.hibernate.report;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

@Entity
class HibernateBean implements AsBean {
  @Id long id;

  @JdbcTypeCode(SqlTypes.JSON)
  Bean doc;

  HibernateBean() {}

  HibernateBean(long id, Invoice invoice) {
    this.id = id;
    this.doc = Bean.of(invoice);
  }

  @Override
  public Bean document() {
    return doc;
  }
}
