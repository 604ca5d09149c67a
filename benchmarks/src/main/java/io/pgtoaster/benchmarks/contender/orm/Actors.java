package io.pgtoaster.benchmarks.contender.orm;

import io.hypersistence.utils.hibernate.type.json.JsonType;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.Type;
import org.hibernate.type.SqlTypes;

/** Entities with the same document. */
final class Actors {
  private Actors() {}

  /** The document as maps and lists, changed in place. */
  interface InMemory extends Actor {
    Map<String, Object> document();

    @SuppressWarnings("unchecked") // JSON arrays are lists here
    private List<Object> list() {
      return (List<Object>) document().getOrDefault("roles", List.of());
    }

    @Override
    default String read() {
      return "" + document().get("id") + document().get("imdb_id") + height();
    }

    @Override
    default String height() {
      return String.valueOf(document().get("height"));
    }

    @Override
    default int roles() {
      return list().size();
    }

    @Override
    default void changeHeight(String height) {
      document().put("height", height);
    }

    @Override
    default void addRole(Map<String, Object> role) {
      list().add(role);
    }
  }

  /** With Hibernate's own type for JSON. */
  @Entity(name = "HibernateActor")
  static class HibernateActor implements InMemory {
    @Id long id = 1;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> doc = Map.of();

    @Override
    public Map<String, Object> document() {
      return doc;
    }
  }

  /** With the type of another library. */
  @Entity(name = "HypersistenceActor")
  static class HypersistenceActor implements InMemory {
    @Id long id = 1;

    @Type(JsonType.class)
    @Column(columnDefinition = "jsonb")
    Map<String, Object> doc = Map.of();

    @Override
    public Map<String, Object> document() {
      return doc;
    }
  }

  /** With this library. */
  @Entity(name = "KeyedActor")
  static class KeyedActor implements Actor {
    @Id long id = 1;

    KeyedJson<Map<String, Object>> doc = KeyedJson.of(Map.of());

    @Override
    public String read() {
      return "" + doc.get("id") + doc.get("imdb_id") + height();
    }

    @Override
    public String height() {
      return doc.get("height", String.class).orElseThrow();
    }

    @Override
    public int roles() {
      return Math.toIntExact(doc.size("roles").orElseThrow());
    }

    @Override
    public void changeHeight(String height) {
      doc.set("height", height);
    }

    @Override
    public void addRole(Map<String, Object> role) {
      doc.append("roles", role);
    }
  }
}
