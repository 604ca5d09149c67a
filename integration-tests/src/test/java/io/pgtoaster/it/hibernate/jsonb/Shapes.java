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

  /** The database numbers the rows. */
  @Entity(name = "Numbered")
  static class Numbered {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    KeyedJson<Profile> profile;
    @KeyedColumn Profile mapped;
  }

  /** A key of two columns. */
  @Embeddable
  record Key(String region, int number) {}

  /** By the key of two columns, in a table and a column with odd names. */
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

  /** With a part of its own. */
  @Entity(name = "Base")
  @Inheritance(strategy = InheritanceType.JOINED)
  static class Base {
    @Id UUID id;
    KeyedJson<Profile> profile;
  }

  /** With another. */
  @Entity(name = "Sub")
  static class Sub extends Base {
    KeyedJson<Profile> second;
    @KeyedColumn Profile third;
  }
}
