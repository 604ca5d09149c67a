package io.pgtoaster.benchmarks.guard;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.orm.Actor;
import io.pgtoaster.benchmarks.contender.orm.OrmContender;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Workplace;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What is done with attributes of entities: a transaction that loads, reads, changes, flushes. */
final class EntityOperations {
  private static final String DOCUMENT = DocumentSet.actors(2, 1000).text(1);

  private EntityOperations() {}

  /** A change of an entity. */
  @FunctionalInterface
  private interface Change {
    void make(Actor actor, int number);
  }

  static Stream<Operation> all() {
    return Stream.of(
        operation("change a member", (actor, i) -> actor.changeHeight("1" + i + " cm")),
        operation("append an element", (actor, i) -> actor.addRole(role(i))));
  }

  private static Map<String, Object> role(int i) {
    return JsonMapper.shared()
        .readValue(DocumentSet.role(new Random(i)), new TypeReference<Map<String, Object>>() {});
  }

  private static Operation operation(String name, Change change) {
    return new Operation(
        "entity: " + name, 10, false, false, (w, rounds) -> new Entity(w.kind(), change));
  }

  private static final class Entity implements Subject {
    private final OrmContender contender;
    private final Backend backend;
    private final Change change;

    Entity(Kind kind, Change change) throws Exception {
      this.change = change;
      this.contender =
          OrmContender.open(
              kind == Kind.EXTENSION ? Names.EXTENSION : Names.CHUNK_TABLES, DOCUMENT);
      Database database = contender.database();
      this.backend = database.backend(database.sessions().get(0));
      Workplace.settle(database);
      database.vacuum();
    }

    @Override
    public Backend backend() {
      return backend;
    }

    @Override
    public void call(int round, int i) {
      contender.inTransaction(actor -> change.make(actor, i));
    }

    @Override
    public void close() throws SQLException {
      contender.close();
    }
  }
}
