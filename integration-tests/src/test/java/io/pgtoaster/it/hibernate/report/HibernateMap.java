package io.pgtoaster.it.hibernate.report;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

@Entity
class HibernateMap implements AsMap {
  @Id long id;

  @JdbcTypeCode(SqlTypes.JSON)
  Map<String, Object> doc;

  HibernateMap() {}

  HibernateMap(long id, Invoice invoice) {
    this.id = id;
    this.doc = AsMap.of(invoice);
  }

  @Override
  public Map<String, Object> document() {
    return doc;
  }
}
