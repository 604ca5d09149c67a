package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.orm.Actor;
import io.pgtoaster.benchmarks.contender.orm.OrmContender;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.hibernate.Session;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Transactions that load an entity, read or change its attributes, and flush. */
final class EntityOperations {
  private static final String DOCUMENT = DocumentSet.actors(2, 1000).text(1);

  private EntityOperations() {}

  @FunctionalInterface
  private interface Change {
    void make(Actor actor, int number);
  }

  static Stream<Operation> all() {
    return Stream.of(
        operation("change nothing", (actor, i) -> {}),
        operation("change a member", (actor, i) -> actor.changeHeight("1" + i + " cm")),
        operation("append an element", (actor, i) -> actor.addRole(role(i))),
        letters(
            "read 4 KB of its blob",
            (session, id, i) -> Blobs.check(scan(session, id).read(7L * i, 4000).length, 4000)),
        letters(
            "append 1 KB to its blob",
            (session, id, i) -> scan(session, id).append(Letters.PAYLOAD.bytes(i, 1000))),
        letters("stream 100 KB to its blob", EntityOperations::write),
        letters(
            "persist with a blob of 1 KB",
            (session, id, i) ->
                session.persist(
                    new Letter(
                        Rows.NEW + 100 * id + i,
                        AppendableBlob.of(Letters.PAYLOAD.bytes(i, 1000))))));
  }

  private static Operation letters(String name, Letters.Work work) {
    return Operation.of("entity: " + name, 10, (w, rounds) -> new Letters(w.kind(), rounds, work));
  }

  private static AppendableBlob scan(Session session, long id) {
    return session.find(Letter.class, id).scan;
  }

  private static void write(Session session, long id, int i) throws IOException {
    try (OutputStream out = scan(session, id).outputStream()) {
      out.write(Letters.PAYLOAD.bytes(i, 100_000));
    }
  }

  private static Map<String, Object> role(int i) {
    return JsonMapper.shared()
        .readValue(DocumentSet.role(new Random(i)), new TypeReference<Map<String, Object>>() {});
  }

  private static Operation operation(String name, Change change) {
    return Operation.of("entity: " + name, 10, (w, rounds) -> new Entity(w.kind(), change));
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
