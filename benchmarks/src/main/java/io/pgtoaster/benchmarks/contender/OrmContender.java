package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Kind;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * A way to map a document to an attribute of an entity.
 *
 * @param entity its class
 * @param orm Hibernate with this entity
 */
public record OrmContender(Class<? extends Actor> entity, Orm orm) implements AutoCloseable {
  /** Opens the contender with this name and stores one entity with a document. */
  public static OrmContender open(String name, String document) throws SQLException {
    Actor actor =
        Actor.of(
            Names.who(name),
            JsonMapper.shared().readValue(document, new TypeReference<Map<String, Object>>() {}));
    Orm orm = new Orm(actor.getClass(), name.equals(Names.EXTENSION) ? Kind.EXTENSION : Kind.PLAIN);
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

  /** Loads the entity, reads from it, changes it and commits. Returns what it read. */
  public String inTransaction(Consumer<Actor> work) {
    return read(
        actor -> {
          String read = actor.read();
          work.accept(actor);
          return read;
        });
  }

  /** Returns what a function reads from the stored entity. */
  public <T> T read(Function<Actor, T> work) {
    return orm.fromTransaction(session -> work.apply(session.find(entity, 1L)));
  }

  @Override
  public void close() throws SQLException {
    orm.close();
  }
}
