package io.pgtoaster.benchmarks.contender.orm;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.document.DocumentStore;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * A way to map a document to an attribute of an entity.
 *
 * @param entity its class
 * @param orm Hibernate with this entity
 */
public record OrmContender(Class<? extends Actor> entity, Orm orm) implements AutoCloseable {
  /**
   * Opens the contender with this name and stores one entity.
   *
   * @param name name of the contender
   * @param document document of the entity
   */
  public static OrmContender open(String name, String document) throws SQLException {
    Kind kind = name.equals(Names.EXTENSION) ? Kind.EXTENSION : Kind.PLAIN;
    Actor actor =
        actor(
            Names.who(name),
            JsonMapper.shared().readValue(document, new TypeReference<Map<String, Object>>() {}));
    Orm orm = new Orm(actor.getClass(), kind);
    String table = "bench." + actor.getClass().getSimpleName();
    Names.store(orm.database(), table, "doc", Names.compression(name, ""));
    orm.inTransaction(session -> session.persist(actor));
    // For the same reason as DocumentStore.addOthers.
    orm.database()
        .run(
            "INSERT INTO %s (id) SELECT -i FROM generate_series(1, %d) i"
                .formatted(table, DocumentStore.OTHERS));
    return new OrmContender(actor.getClass(), orm);
  }

  private static Actor actor(String name, Map<String, Object> document) {
    switch (name) {
      case Names.CHUNK_TABLES, Names.EXTENSION -> {
        Actors.KeyedActor actor = new Actors.KeyedActor();
        actor.doc = KeyedJson.of(document);
        return actor;
      }
      case Names.HIBERNATE -> {
        Actors.HibernateActor actor = new Actors.HibernateActor();
        actor.doc = document;
        return actor;
      }
      case Names.HYPERSISTENCE -> {
        Actors.HypersistenceActor actor = new Actors.HypersistenceActor();
        actor.doc = document;
        return actor;
      }
      default -> throw new IllegalArgumentException("no contender for entities: " + name);
    }
  }

  /** Loads the entity, reads from it, changes it and commits. Returns what it read. */
  public String inTransaction(Consumer<Actor> work) {
    return orm.fromTransaction(
        session -> {
          Actor actor = session.find(entity, 1L);
          String read = actor.read();
          work.accept(actor);
          return read;
        });
  }

  /** Returns the height in the database. */
  public String height() {
    return orm.fromTransaction(session -> session.find(entity, 1L).height());
  }

  /** Returns the number of roles in the database. */
  public int roles() {
    return orm.fromTransaction(session -> session.find(entity, 1L).roles());
  }

  @Override
  public void close() throws SQLException {
    orm.close();
  }
}
