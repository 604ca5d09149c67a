package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import jakarta.persistence.OptimisticLockException;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two sessions change one document. */
class KeyedJsonConflictIT extends DocumentOrmSuite {
  @BeforeEach
  void twoRows() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(s -> s.persist(new Account(1, KeyedJson.of(Profile.big("b")))));
  }

  /** One session loads a document, another changes it and commits, then the first changes it. */
  private void interleave(
      String isolation,
      Consumer<KeyedJson<Profile>> read,
      Consumer<KeyedJson<Profile>> other,
      Consumer<KeyedJson<Profile>> own)
      throws Exception {
    try (Session session = orm().factory().openSession()) {
      session.beginTransaction();
      session
          .createNativeMutationQuery("SET TRANSACTION ISOLATION LEVEL " + isolation)
          .executeUpdate();
      KeyedJson<Profile> profile = session.find(Person.class, 1L).profile;
      read.accept(profile);
      inTransaction(s -> other.accept(s.find(Person.class, 1L).profile));
      own.accept(profile);
      session.flush();
      session.getTransaction().commit();
    }
  }

  private void interleave(Consumer<KeyedJson<Profile>> other, Consumer<KeyedJson<Profile>> own)
      throws Exception {
    interleave("READ COMMITTED", p -> {}, other, own);
  }

  @Test
  void disjointMembers_bothSurvive() throws Exception {
    interleave(p -> p.set("nick", "other"), p -> p.set("height", 1));
    interleave(p -> p.set("roles[1].year", 1), p -> p.set("roles[2].year", 2));
    interleave(p -> p.set("added", 1), p -> p.set("too", 2));
    assertThat(people().at(1L, "nick").get(String.class)).contains("other");
    assertThat(people().at(1L, "height").get(Integer.class)).contains(1);
    assertThat(people().at(1L, "roles[1].year").get(Integer.class)).contains(1);
    assertThat(people().at(1L, "roles[2].year").get(Integer.class)).contains(2);
    assertThat(people().at(1L, "added").get(Integer.class)).contains(1);
    assertThat(people().at(1L, "too").get(Integer.class)).contains(2);
  }

  @Test
  void appendsAndIncrements_bothSurvive() throws Exception {
    interleave(
        p -> {
          p.append("roles", new Profile.Role("a", 1));
          p.increment("height", 1);
        },
        p -> {
          p.append("roles", new Profile.Role("b", 1));
          p.increment("height", 10);
        });
    assertThat(people().at(1L, "roles").size()).hasValue(402);
    assertThat(people().at(1L, "height").get(Integer.class)).contains(191);
  }

  @Test
  void sameMember_isAConflict() {
    assertThatThrownBy(() -> interleave(p -> p.set("height", 1), p -> p.set("height", 2)))
        .isInstanceOf(OptimisticLockException.class)
        .hasMessageContaining("height");
    assertThatThrownBy(() -> interleave(p -> p.set("new", 1), p -> p.set("new", 2)))
        .isInstanceOf(OptimisticLockException.class);
    assertThatThrownBy(() -> interleave(p -> p.set("height", 3), p -> p.remove("height")))
        .isInstanceOf(OptimisticLockException.class);
    assertThatThrownBy(() -> interleave(p -> p.remove("nick"), p -> p.set("nick", "x")))
        .isInstanceOf(OptimisticLockException.class);
    assertThat(people().at(1L, "height").get(Integer.class)).contains(3);
  }

  @Test
  void movedMember_isAConflictIfItWasRead() throws Exception {
    // An ordinary column loads the whole document with the row, so all of it was read.
    if (mapped.keyed()) {
      interleave(p -> p.set("roles[3].title", "a"), p -> p.set("roles[3].title", "b"));
      assertThat(people().at(1L, "roles[3].title").get(String.class)).contains("b");
      assertThatThrownBy(
              () ->
                  interleave(
                      "READ COMMITTED",
                      p -> p.get("roles[3].title"),
                      p -> p.set("roles[3].title", "c"),
                      p -> p.set("roles[3].title", "d")))
          .isInstanceOf(OptimisticLockException.class);
      assertThat(people().at(1L, "roles[3].title").get(String.class)).contains("c");
    }
  }

  @Test
  void repeatableRead_refusesTheSecondWriterOfALeaf() throws Exception {
    interleave("REPEATABLE READ", p -> {}, p -> {}, p -> p.set("height", 1));
    assertThatThrownBy(
            () ->
                interleave(
                    "REPEATABLE READ", p -> {}, p -> p.set("height", 2), p -> p.set("height", 3)))
        .isInstanceOf(OptimisticLockException.class);
    assertThat(people().at(1L, "height").get(Integer.class)).contains(2);
  }

  @Test
  void deletedRow_isAConflict() {
    assertThatThrownBy(
            () -> {
              try (Session session = orm().factory().openSession()) {
                session.beginTransaction();
                Person person = session.find(Person.class, 1L);
                orm().database().run("DELETE FROM person");
                person.profile.set("height", 1);
                session.flush();
              }
            })
        .isInstanceOf(OptimisticLockException.class);
  }

  @Test
  void version_refusesEvenDisjointChanges() throws Exception {
    Orm orm = orm();
    try (Session session = orm.factory().openSession()) {
      session.beginTransaction();
      Account account = session.find(Account.class, 1L);
      orm.inTransaction(s -> s.find(Account.class, 1L).profile.set("nick", "other"));
      account.profile.set("height", 1);
      assertThatThrownBy(session::flush).isInstanceOf(OptimisticLockException.class);
    }
  }
}
