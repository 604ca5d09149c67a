package io.pgtoaster.it.hibernate.jsonb;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/** An entity with a document and a version. */
@Entity(name = "Account")
class Account {
  @Id long id;
  @Version int version;
  String name;
  KeyedJson<Profile> profile;

  Account() {}

  Account(long id, KeyedJson<Profile> profile) {
    this.id = id;
    this.name = "name " + id;
    this.profile = profile;
  }
}
