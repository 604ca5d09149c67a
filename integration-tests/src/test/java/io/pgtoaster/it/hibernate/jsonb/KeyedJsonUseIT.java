package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.JsonType;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import jakarta.persistence.OptimisticLockException;
import java.util.List;
import org.hibernate.FlushMode;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Caches, bulk statements, other kinds of sessions, and incorrect use. */
class KeyedJsonUseIT extends DocumentOrmSuite {
  @Override
  OrmBuilder configure(OrmBuilder builder) {
    return builder.queryCache();
  }

  @BeforeEach
  void oneRow() throws Exception {
    orm().factory().getCache().evictAllRegions();
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
  }

  @Test
  void cachedEntity_readsMovedMembersFromTheDatabase() throws Exception {
    inTransaction(s -> s.find(Person.class, 1L));
    orm().statements();
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          assertThat(profile.get("nick", String.class)).contains("b");
          assertThat(sql()).isEmpty();
          assertThat(profile.get("roles[5].title", String.class)).contains("role 5 of b");
          profile.set("height", 5);
        });
    inTransaction(
        s -> assertThat(s.find(Person.class, 1L).profile.get("height", int.class)).contains(5));
  }

  @Test
  void changeOfDocumentAndName_isSeenThroughTheCache() throws Exception {
    for (int i = 0; i < 3; i++) {
      int round = i;
      inTransaction(
          s -> {
            Person person = s.find(Person.class, 1L);
            person.name = "n" + round;
            person.profile.set("height", round);
            person.profile.set("added" + round, round);
          });
      inTransaction(
          s -> {
            Person person = s.find(Person.class, 1L);
            assertThat(person.name).isEqualTo("n" + round);
            assertThat(person.profile.get("height", int.class)).contains(round);
            assertThat(person.profile.get("added" + round, int.class)).contains(round);
            assertThat(person.profile.load().roles()).hasSize(400);
          });
    }
  }

  private static <T> T cached(Session s, String hql, Class<T> type) {
    return s.createSelectionQuery(hql, type).setCacheable(true).getSingleResult();
  }

  @Test
  void cachedQuery_returnsASeparateDocumentToEachSession() throws Exception {
    for (int i = 0; i < 3; i++) {
      int height = i;
      inTransaction(
          s -> {
            Person person = cached(s, "from Person", Person.class);
            assertThat(person.profile.get("roles[5].title")).isPresent();
            KeyedJson<?> projected = cached(s, "select p.profile from Person p", KeyedJson.class);
            assertThat(projected.get("nick", String.class)).contains("b");
          });
      inTransaction(
          s -> {
            Person person = cached(s, "from Person", Person.class);
            person.profile.set("height", height);
          });
      assertThat(people().at(1L, "height").get(Integer.class)).contains(height);
    }
  }

  @Test
  void query_seesChangesThatWereNotFlushed() throws Exception {
    inTransaction(
        s -> {
          s.find(Person.class, 1L).profile.set("height", 7);
          assertThat(
                  s.createNativeQuery("SELECT profile ->> 'height' FROM person", String.class)
                      .addSynchronizedEntityClass(Person.class)
                      .getSingleResult())
              .isEqualTo("7");
        });
  }

  @Test
  void bulkDelete_removesTheContent() throws Exception {
    inTransaction(
        s -> assertThat(s.createMutationQuery("delete from Person").executeUpdate()).isOne());
  }

  @Test
  void manualFlush_writesOnlyWhenFlushed() throws Exception {
    inTransaction(
        s -> {
          s.setHibernateFlushMode(FlushMode.MANUAL);
          s.find(Person.class, 1L).profile.set("height", 7);
        });
    assertThat(people().at(1L, "height").get(Integer.class)).contains(180);
    inTransaction(
        s -> {
          s.setHibernateFlushMode(FlushMode.MANUAL);
          Person person = s.find(Person.class, 1L);
          person.profile.set("height", 7);
          assertThat(s.isDirty()).isTrue();
          s.flush();
        });
    assertThat(people().at(1L, "height").get(Integer.class)).contains(7);
  }

  @Test
  void readThatDependsOnAChange_flushesTheSession() throws Exception {
    if (!mapped.keyed()) {
      return;
    }
    inTransaction(s -> s.persist(new Account(5, KeyedJson.of(Profile.big("b")))));
    inTransaction(
        s -> {
          Account account = s.find(Account.class, 5L);
          account.name = "flushed";
          account.profile.append("roles", new Profile.Role("x", 1));
          assertThat(account.profile.get("roles[400].title", String.class)).contains("x");
          assertThat(account.version).isEqualTo(1);
          assertThat(s.isDirty()).isFalse();
        });
    try (Session session = orm().factory().openSession()) {
      session.beginTransaction();
      KeyedJson<Profile> profile = session.find(Account.class, 5L).profile;
      inTransaction(s -> s.find(Account.class, 5L).profile.set("height", 1));
      profile.append("roles", new Profile.Role("y", 1));
      assertThatThrownBy(() -> profile.get("roles[401]"))
          .isInstanceOf(OptimisticLockException.class);
    }
  }

  @Test
  void readThatDependsOnAChange_isRefusedWithManualFlush() throws Exception {
    if (!mapped.keyed()) {
      return;
    }
    inTransaction(
        s -> {
          s.setHibernateFlushMode(FlushMode.MANUAL);
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          profile.append("roles", new Profile.Role("x", 1));
          assertThatThrownBy(() -> profile.get("roles[400]"))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("flush the session first");
        });
    assertThat(people().at(1L, "roles").size()).hasValue(400);
  }

  @Test
  void statelessSession_insertsReadsUpdatesAndDeletes() throws Exception {
    statelessly(s -> s.insert(new Person(2, KeyedJson.of(Profile.big("c")))));
    assertThat(people().load(2L, Profile.class)).contains(Profile.big("c"));
    statelessly(
        s -> {
          Person person = s.get(Person.class, 2L);
          assertThat(person.profile.get("nick", String.class)).contains("c");
          assertThat(person.profile.get("roles[9].title", String.class)).contains("role 9 of c");
          person.profile.set("height", 3);
          person.profile.append("roles", new Profile.Role("x", 1));
          s.update(person);
          s.upsert(new Person(1, KeyedJson.of(Profile.small("s"))));
          s.upsert(new Person(3, KeyedJson.of(Profile.big("d"))));
        });
    assertThat(people().at(2L, "height").get(Integer.class)).contains(3);
    assertThat(people().at(2L, "roles").size()).hasValue(401);
    assertThat(people().load(1L, Profile.class)).contains(Profile.small("s"));
    assertThat(people().load(3L, Profile.class)).contains(Profile.big("d"));
    statelessly(s -> s.delete(s.get(Person.class, 2L)));
  }

  @Test
  void documentOfAnotherEntity_isWrittenByAStatelessUpdate() throws Exception {
    statelessly(
        s -> {
          Person to = s.get(Person.class, 1L);
          Person from = new Person(2, KeyedJson.of(Profile.big("c")));
          s.insert(from);
          to.profile = from.profile;
          s.update(to);
          assertThat(to.profile).isNotSameAs(from.profile);
          from.profile.set("height", 5);
          s.update(from);
        });
    assertThat(people().load(1L, Profile.class)).contains(Profile.big("c"));
    assertThat(people().at(2L, "height").get(Integer.class)).contains(5);
  }

  @Test
  void projection_readsButDoesNotWrite() throws Exception {
    inTransaction(
        s -> {
          KeyedJson<?> profile =
              s.createSelectionQuery("select p.profile from Person p", KeyedJson.class)
                  .getSingleResult();
          assertThat(profile.get("nick", String.class)).contains("b");
          assertThatThrownBy(() -> profile.set("nick", "x"))
              .isInstanceOf(HibernateException.class)
              .hasMessageContaining("select the entity");
          assertThat(profile.get("roles[9].title", String.class)).contains("role 9 of b");
          assertThat(profile.size("roles")).hasValue(400);
          assertThat(profile.load()).isEqualTo(Profile.big("b"));
        });
  }

  @Test
  void readOnlyEntity_refusesChanges() throws Exception {
    inTransaction(
        s -> {
          Person person = s.find(Person.class, 1L);
          s.setReadOnly(person, true);
          assertThat(person.profile.load().height()).isEqualTo(180);
          assertThatThrownBy(() -> person.profile.set("height", 1))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("setReadOnly");
        });
  }

  @Test
  void noTransaction_readsButDoesNotWrite() throws Exception {
    try (Session session = orm().factory().openSession()) {
      KeyedJson<Profile> profile = session.find(Person.class, 1L).profile;
      assertThat(profile.size("roles")).hasValue(400);
      profile.append("roles", new Profile.Role("x", 1));
      if (mapped.keyed()) {
        assertThatThrownBy(() -> profile.get("roles[400]"))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("transaction");
      }
      assertThatThrownBy(session::flush).hasMessageContaining("transaction");
    }
    assertThat(people().at(1L, "roles").size()).hasValue(400);
  }

  @Test
  void missingPath_isRefused() throws Exception {
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          for (Runnable change :
              List.<Runnable>of(
                  () -> profile.set("nick.inner", 1),
                  () -> profile.set("none.inner", 1),
                  () -> profile.append("none", 1),
                  () -> profile.increment("nick", 1),
                  () -> profile.insert("nick", 1),
                  () -> profile.remove(""))) {
            assertThatThrownBy(change::run)
                .isInstanceOfAny(InvalidPathException.class, PathNotFoundException.class);
          }
          assertThatThrownBy(() -> profile.set("none.inner", 1))
              .hasMessageContaining("Person")
              .hasMessageEndingWith(
                  "at \"none.inner\": there is no \"none\"; the deepest part of the path that"
                      + " exists is the document, of type object; set \"none\" first");
          profile.remove("none");
          assertThat(profile.type("nick")).contains(JsonType.STRING);
          assertThat(profile.type("roles")).contains(JsonType.ARRAY);
          sql();
        });
    assertThat(sql()).isEmpty();
  }

  @Test
  void refreshedEntity_hasTheStoredDocument() throws Exception {
    inTransaction(
        s -> {
          Person person = s.find(Person.class, 1L);
          person.profile.set("height", 1);
          s.refresh(person);
          assertThat(person.profile.get("height", int.class)).contains(180);
        });
    assertThat(people().at(1L, "height").get(Integer.class)).contains(180);
  }
}
