package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.contender.Actor;
import io.pgtoaster.benchmarks.contender.DocumentSet;
import io.pgtoaster.benchmarks.contender.Orm;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.hibernate.Session;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Transactions that load an entity, read or change its attributes, and flush. */
final class EntityOperations {
  private static final String DOCUMENT = DocumentSet.actor(1, 1000).text();

  private EntityOperations() {}

  static Stream<Operation> all() {
    return Stream.of(
        actor("change nothing", (actor, i) -> {}),
        actor("change a member", (actor, i) -> actor.changeHeight("1" + i + " cm")),
        actor("append an element", (actor, i) -> actor.addRole(role(i))),
        letters(
            "read 4 KB of its blob",
            (s, id, i) -> Rows.check(scan(s, id).read(7L * i, 4000).length, 4000)),
        letters(
            "append 1 KB to its blob",
            (s, id, i) -> scan(s, id).append(Blobs.PAYLOAD.bytes(i, 1000))),
        letters("stream 100 KB to its blob", EntityOperations::write),
        letters(
            "persist with a blob of 1 KB",
            (s, id, i) -> s.persist(new Letter(Rows.NEW + 100 * id + i, blob(i, 1000)))));
  }

  private static AppendableBlob blob(long seed, int bytes) {
    return AppendableBlob.of(Blobs.PAYLOAD.bytes(seed, bytes));
  }

  private static AppendableBlob scan(Session session, long id) {
    return session.find(Letter.class, id).scan;
  }

  private static void write(Session session, long id, int i) {
    try (OutputStream out = scan(session, id).outputStream()) {
      out.write(Blobs.PAYLOAD.bytes(i, 100_000));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> role(int i) {
    return JsonMapper.shared()
        .readValue(DocumentSet.role(new Random(i)), new TypeReference<Map<String, Object>>() {});
  }

  private interface Change {
    void make(Actor actor, int number);
  }

  private static Operation actor(String name, Change change) {
    return new Operation(
        "entity: " + name,
        10,
        (w, rounds) -> {
          Orm orm = Orm.open(w.kind().contender, DOCUMENT);
          Call call = (round, i) -> orm.withActor(actor -> change.make(actor, i));
          return new Entities(orm, call);
        });
  }

  /** The work in one transaction, on the letter with a key, in a call of a round. */
  private interface Work {
    void run(Session session, long id, int i);
  }

  /** Returns an operation on letters with blobs of 100 KB, one for each round. */
  private static Operation letters(String name, Work work) {
    return new Operation(
        "entity: " + name,
        10,
        (w, rounds) -> {
          Orm orm = new Orm(Letter.class, w.kind());
          for (long id = 1; id <= rounds; id++) {
            Letter letter = new Letter(id, blob(id, 100_000));
            orm.inTransaction(session -> session.persist(letter));
          }
          Call call = (round, i) -> orm.inTransaction(s -> work.run(s, round + 1L, i));
          return new Entities(orm, call);
        });
  }

  private interface Call {
    void run(int round, int i);
  }

  private record Entities(Orm orm, Backend backend, Call call) implements Operation.Subject {
    Entities(Orm orm, Call call) throws SQLException {
      this(orm, orm.backend(), call);
      Workplace.settle(orm.database());
      orm.database().vacuum();
    }

    @Override
    public void call(int round, int i) {
      call.run(round, i);
    }

    @Override
    public void close() throws SQLException {
      orm.close();
    }
  }

  /** An entity with a blob. */
  @Entity(name = "Letter")
  static class Letter {
    @Id long id;
    String subject = "";
    AppendableBlob scan = new AppendableBlob();

    Letter() {}

    Letter(long id, AppendableBlob scan) {
      this.id = id;
      this.scan = scan;
    }
  }
}
