package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.it.kit.Recorder.Statement;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of entities with documents, for each {@link Mapped}. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.hibernate.jsonb.Mapped#all")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DocumentOrmSuite {
  @Parameter Mapped mapped;

  private Orm orm;
  private HikariDataSource pool;
  private DocumentColumn people;

  /** Adds settings of the session factory. */
  OrmBuilder configure(OrmBuilder builder) {
    return builder;
  }

  /** Returns further tables with a column {@code profile}. */
  List<String> tables() {
    return List.of();
  }

  final Orm orm() throws Exception {
    if (orm == null) {
      OrmBuilder builder =
          Orm.on(mapped.setting())
              .entities(Person.class, Account.class)
              .schema(
                  "CREATE TABLE person (id bigint PRIMARY KEY, name text, profile jsonb)",
                  "CREATE TABLE account (id bigint PRIMARY KEY, version integer NOT NULL,"
                      + " name text, profile jsonb NOT NULL CHECK (profile ? 'nick'))",
                  attach("person"),
                  attach("account"));
      orm = configure(builder).build();
      // Look up metadata now, so that tests do not count these statements.
      orm.inTransaction(
          s -> {
            s.persist(new Person(-1, KeyedJson.of(Profile.big("w"))));
            s.persist(new Account(-1, KeyedJson.of(Profile.big("w"))));
          });
      orm.inTransaction(
          s -> {
            s.find(Person.class, -1L).profile.set("nick", "v");
            s.remove(s.find(Account.class, -1L));
          });
      orm.inTransaction(s -> s.remove(s.find(Person.class, -1L)));
      pool = orm.database().pool(4);
      people = PgToaster.create(pool).documents("person", "profile");
      orm.statements();
    }
    return orm;
  }

  final void inTransaction(Orm.Work<Session> work) throws Exception {
    orm().inTransaction(work);
  }

  final void statelessly(Orm.Work<StatelessSession> work) throws Exception {
    orm().statelessly(work);
  }

  final <T> T fromTransaction(Orm.Query<Session, T> query) throws Exception {
    return orm().fromTransaction(query);
  }

  final String attach(String table) {
    return "SELECT pgtoaster.attach('%s'::regclass, 'profile', '%s', '{}')"
        .formatted(table, mapped.keyed() ? "keyed" : "default");
  }

  /** The documents in the table of persons. */
  final DocumentColumn people() {
    return people;
  }

  final void persist(Person... persons) throws Exception {
    inTransaction(
        s -> {
          for (Person person : persons) {
            s.persist(person);
          }
        });
    orm().statements();
  }

  /** Returns the statements since the last call, except those that begin transactions. */
  final List<String> sql() throws Exception {
    return orm().statements().stream()
        .map(Statement::sql)
        .filter(q -> !q.matches("(?i)(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET ).*"))
        .toList();
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (String table : List.of("person", "account")) {
      List<String> ids = orm().database().strings("SELECT id FROM " + table);
      DocumentColumn column = PgToaster.create(pool).documents(table, "profile");
      for (String id : ids) {
        assertThat(column.verify(Long.valueOf(id))).isEmpty();
      }
      orm().database().run("DELETE FROM " + table);
    }
    for (String node :
        orm()
            .database()
            .strings(
                "SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid ="
                    + " c.relnamespace WHERE n.nspname = 'pgtoaster' AND c.relname ~"
                    + " '^store_[0-9]+_(node|head)$'")) {
      assertThat(orm().database().number("SELECT count(*) FROM " + node)).as(node).isZero();
    }
    orm().statements();
  }

  @AfterParameterizedClassInvocation
  void close() throws Exception {
    if (orm != null) {
      pool.close();
      orm.close();
      orm = null;
    }
  }
}
