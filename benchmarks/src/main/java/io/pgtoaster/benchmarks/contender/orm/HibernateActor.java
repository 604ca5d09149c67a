package io.pgtoaster.benchmarks.contender.orm;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

@Entity
class HibernateActor implements ActorMap {
  @Id long id = 1;

  @JdbcTypeCode(SqlTypes.JSON)
  Map<String, Object> doc = Map.of();

  HibernateActor() {}

  HibernateActor(Map<String, Object> doc) {
    this.doc = doc;
  }

  @Override
  public Map<String, Object> document() {
    return doc;
  }
}
