package io.pgtoaster.it.hibernate.jsonb;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;

/** An entity with a document and no version. */
@Entity(name = "Person")
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
class Person {
  @Id long id;
  String name;
  KeyedJson<Profile> profile;

  Person() {}

  Person(long id, KeyedJson<Profile> profile) {
    this.id = id;
    this.name = "name " + id;
    this.profile = profile;
  }
}
