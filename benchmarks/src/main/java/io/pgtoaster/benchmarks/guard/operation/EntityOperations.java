package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.orm.Actor;
import io.pgtoaster.benchmarks.contender.orm.Orm;
import io.pgtoaster.benchmarks.contender.orm.OrmContender;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Kind;
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
        operation("change nothing", (actor, i) -> {}),
        operation("change a member", (actor, i) -> actor.changeHeight("1" + i + " cm")),
        operation("append an element", (actor, i) -> actor.addRole(role(i))),
        letters(
            "read 4 KB of its blob",
            (session, id, i) -> Blobs.check(scan(session, id).read(7L * i, 4000).length, 4000)),
        letters(
            "append 1 KB to its blob",
            (session, id, i) -> scan(session, id).append(Blobs.PAYLOAD.bytes(i, 1000))),
        letters("stream 100 KB to its blob", EntityOperations::write),
        letters(
            "persist with a blob of 1 KB",
            (session, id, i) -> {
              AppendableBlob blob = AppendableBlob.of(Blobs.PAYLOAD.bytes(i, 1000));
              session.persist(new Letter(Rows.NEW + 100 * id + i, blob));
            }));
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

  private static Operation operation(String name, Change change) {
    return Operation.of("entity: " + name, 10, (w, rounds) -> new Documents(w.kind(), change));
  }

  private static Operation letters(String name, Work work) {
    return Operation.of("entity: " + name, 10, (w, rounds) -> new Letters(w.kind(), rounds, work));
  }

  private abstract static class Entities implements Subject {
    final Orm orm;
    private final Backend backend;

    Entities(Orm orm) throws SQLException {
      this.orm = orm;
      this.backend = orm.backend();
      Workplace.settle(orm.database());
    }

    @Override
    public Backend backend() {
      return backend;
    }

    @Override
    public void close() throws SQLException {
      orm.close();
    }
  }

  @FunctionalInterface
  private interface Change {
    void make(Actor actor, int number);
  }

  private static final class Documents extends Entities {
    private final OrmContender contender;
    private final Change change;

    Documents(Kind kind, Change change) throws SQLException {
      this(
          OrmContender.open(
              kind == Kind.EXTENSION ? Names.EXTENSION : Names.CHUNK_TABLES, DOCUMENT),
          change);
    }

    private Documents(OrmContender contender, Change change) throws SQLException {
      super(contender.orm());
      this.contender = contender;
      this.change = change;
      orm.database().vacuum();
    }

    @Override
    public void call(int round, int i) {
      contender.inTransaction(actor -> change.make(actor, i));
    }
  }

  /** The work in one transaction, on the letter with a key, in a call of a round. */
  @FunctionalInterface
  private interface Work {
    void run(Session session, long id, int i);
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

  /** Letters with blobs of 100 KB, one for each round. */
  private static final class Letters extends Entities {
    private final Work work;

    Letters(Kind kind, int rounds, Work work) throws SQLException {
      super(new Orm(Letter.class, kind));
      this.work = work;
      for (long id = 1; id <= rounds; id++) {
        Letter letter = new Letter(id, AppendableBlob.of(Blobs.PAYLOAD.bytes(id, 100_000)));
        orm.inTransaction(session -> session.persist(letter));
      }
      orm.database().vacuum();
    }

    @Override
    public void call(int round, int i) {
      orm.inTransaction(session -> work.run(session, round + 1L, i));
    }
  }
}
