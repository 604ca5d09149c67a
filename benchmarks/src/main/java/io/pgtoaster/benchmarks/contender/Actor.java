package io.pgtoaster.benchmarks.contender;

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

/** An entity with a document. */
@SuppressWarnings("MissingJavadocMethod")
public interface Actor {
  /** Returns a transient entity. */
  static Actor of(String contender, Map<String, Object> document) {
    return switch (contender) {
      case Names.CHUNK_TABLES, Names.EXTENSION -> new KeyedActor(document);
      case Names.HIBERNATE -> new HibernateActor(document);
      case Names.HYPERSISTENCE -> new HypersistenceActor(document);
      default -> throw new IllegalArgumentException("no contender for entities: " + contender);
    };
  }

  /** Reads small members of the document. */
  String read();

  String height();

  /** Returns the number of roles. */
  int roles();

  /** Changes a small member. */
  void changeHeight(String height);

  /** Adds an element to the long array. */
  void addRole(Map<String, Object> role);

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
  class HibernateActor implements InMemory {
    @Id long id = 1;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> doc = Map.of();

    HibernateActor() {}

    HibernateActor(Map<String, Object> document) {
      doc = document;
    }

    @Override
    public Map<String, Object> document() {
      return doc;
    }
  }

  /** With the type of another library. */
  @Entity(name = "HypersistenceActor")
  class HypersistenceActor implements InMemory {
    @Id long id = 1;

    @Type(JsonType.class)
    @Column(columnDefinition = "jsonb")
    Map<String, Object> doc = Map.of();

    HypersistenceActor() {}

    HypersistenceActor(Map<String, Object> document) {
      doc = document;
    }

    @Override
    public Map<String, Object> document() {
      return doc;
    }
  }

  /** With this library. */
  @Entity(name = "KeyedActor")
  class KeyedActor implements Actor {
    @Id long id = 1;
    KeyedJson<Map<String, Object>> doc = KeyedJson.of(Map.of());

    KeyedActor() {}

    KeyedActor(Map<String, Object> document) {
      doc = KeyedJson.of(document);
    }

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
