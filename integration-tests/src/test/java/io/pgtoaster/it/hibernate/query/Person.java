package io.pgtoaster.it.hibernate.query;

import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.NamedQuery;
import java.util.HashMap;
import java.util.Map;

/** A person with a document that splits, a document that does not, and a map. */
@Entity(name = "Person")
@NamedQuery(
    name = "Person.named",
    query = "select p.profile['roles'][0].title from Person p where p.profile['name'] = :name")
class Person {
  @Id long id;

  @KeyedColumn(
      keepInline = {"name", "height", "address"},
      rowBudget = 512)
  KeyedJson<Object> profile;

  @KeyedColumn(toaster = "default")
  KeyedJson<Object> plain;

  @ElementCollection Map<String, String> nicknames = new HashMap<>();

  @ManyToOne Person mate;

  Person() {}

  Person(long id) {
    this.id = id;
  }
}
