package io.pgtoaster.it.hibernate.jsonb;

import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Table;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Entities with other identifiers, names and superclasses. */
final class Shapes {
  private Shapes() {}

  /** An entity with a generated id. */
  @Entity(name = "Numbered")
  static class Numbered {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    KeyedJson<Profile> profile;
    @KeyedColumn Profile mapped;
  }

  @Embeddable
  record Key(String region, int number) {}

  /** An entity with a key of two columns, and with odd names of its table and columns. */
  @Entity(name = "Composite")
  @Table(name = "\"Odd Table\"")
  static class Composite {
    @EmbeddedId Key id;

    @Column(name = "\"Doc ü\"")
    @KeyedColumn(
        keepInline = "nick",
        batchSize = 1,
        conflicts = io.pgtoaster.hibernate.jsonb.Conflicts.LAST_WINS)
    KeyedJson<JsonNode> profile;
  }

  /** A superclass with one document. */
  @Entity(name = "Base")
  @Inheritance(strategy = InheritanceType.JOINED)
  static class Base {
    @Id UUID id;
    KeyedJson<Profile> profile;
  }

  /** A subclass with another document. */
  @Entity(name = "Sub")
  static class Sub extends Base {
    KeyedJson<Profile> second;
    @KeyedColumn Profile third;
  }
}
