package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.OptimisticLockException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Optional;
import org.hibernate.LazyInitializationException;
import org.hibernate.Session;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A detached entity keeps the parts of the document that it has read. A merge applies its changes.
 */
class KeyedJsonMergeIT extends DocumentOrmSuite {
  private Person detached;

  @BeforeEach
  void detach() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    detached =
        fromTransaction(
            s -> {
              Person person = s.find(Person.class, 1L);
              assertThat(person.profile.get("roles[1].title")).isPresent();
              return person;
            });
  }

  @Test
  void loadedValues_canStillBeRead() {
    assertThat(detached.profile.get("nick", String.class)).contains("b");
    assertThat(detached.profile.get("roles[1].title", String.class)).contains("role 1 of b");
    if (mapped.keyed()) {
      assertThatThrownBy(() -> detached.profile.get("roles[2].title"))
          .isInstanceOf(LazyInitializationException.class)
          .hasMessageContaining("Person#1.profile")
          .hasMessageContaining("while the session is open");
      assertThatThrownBy(detached.profile::load).isInstanceOf(LazyInitializationException.class);
    }
  }

  @Test
  void changes_areAppliedToTheCurrentDocument() throws Exception {
    people().at(1L, "nick").set("meanwhile");
    people().at(1L, "roles[9].year").set(1);
    detached.profile.set("height", 1);
    detached.profile.set("roles[1].title", "merged");
    detached.profile.append("roles", new Profile.Role("last", 1));
    inTransaction(s -> s.merge(detached));
    Profile now = people().load(1L, Profile.class).orElseThrow();
    assertThat(now.nick()).isEqualTo("meanwhile");
    assertThat(now.height()).isEqualTo(1);
    assertThat(now.roles().get(1).title()).isEqualTo("merged");
    assertThat(now.roles().get(9).year()).isEqualTo(1);
    assertThat(now.roles()).hasSize(401);
  }

  @Test
  void changeOfAValueThatAnotherTransactionChanged_isAConflict() {
    people().at(1L, "height").set(2);
    detached.profile.set("height", 1);
    assertThatThrownBy(() -> inTransaction(s -> s.merge(detached)))
        .hasStackTraceContaining(OptimisticLockException.class.getName());
    assertThat(people().at(1L, "height").get(Integer.class)).contains(2);
  }

  @Test
  void nothingChanged_writesNothing() throws Exception {
    orm().statements();
    inTransaction(s -> s.merge(detached));
    assertThat(sql()).hasSize(1);
  }

  @Test
  void newDocument_replacesTheStoredOne() throws Exception {
    Person person = new Person(1, KeyedJson.of(Profile.small("s")));
    inTransaction(s -> s.merge(person));
    assertThat(people().load(1L, Profile.class)).contains(Profile.small("s"));
    Person added = new Person(2, KeyedJson.of(Profile.big("c")));
    inTransaction(s -> s.merge(added));
    assertThat(people().load(2L, Profile.class)).contains(Profile.big("c"));
  }

  @Test
  void replacement_isMerged() throws Exception {
    detached.profile.put(Profile.big("c"));
    inTransaction(s -> s.merge(detached));
    assertThat(people().load(1L, Profile.class)).contains(Profile.big("c"));
    detached.profile = null;
    inTransaction(s -> s.merge(detached));
    assertThat(people().text(1L)).isEmpty();
  }

  @Test
  void rolledBackChanges_areMergedAgain() throws Exception {
    for (boolean closed : new boolean[] {false, true}) {
      try (Session session = orm().factory().openSession()) {
        session.beginTransaction();
        detached = session.find(Person.class, 1L);
        detached.profile.set("nick", "x" + closed);
        detached.profile.append("roles", new Profile.Role("last", 1));
        session.flush();
        detached.profile.set("nick", "y" + closed);
        session.flush();
        detached.profile.set("height", 3);
        if (!closed) {
          session.getTransaction().rollback();
        }
      }
      assertThat(people().at(1L, "nick").get(String.class)).isNotEqualTo(Optional.of("y" + closed));
      inTransaction(s -> s.merge(detached));
      assertThat(people().at(1L, "nick").get(String.class)).contains("y" + closed);
      assertThat(people().at(1L, "height").get(Integer.class)).contains(3);
    }
    assertThat(people().at(1L, "roles").size()).hasValue(402);
  }

  @Test
  void rolledBackReplacement_isMergedAgain() throws Exception {
    Person added = new Person(2, KeyedJson.of(Profile.big("c")));
    try (Session session = orm().factory().openSession()) {
      session.beginTransaction();
      detached = session.find(Person.class, 1L);
      detached.profile.put(Profile.big("z"));
      session.persist(added);
      session.flush();
      detached.profile.set("height", 3);
      added.profile.set("height", 4);
      session.flush();
      session.getTransaction().rollback();
    }
    inTransaction(s -> s.merge(detached));
    inTransaction(s -> s.merge(added));
    assertThat(people().at(1L, "nick").get(String.class)).contains("z");
    assertThat(people().at(1L, "height").get(Integer.class)).contains(3);
    assertThat(people().at(2L, "bio").get(String.class)).contains(Profile.big("c").bio());
    assertThat(people().at(2L, "height").get(Integer.class)).contains(4);
  }

  @Test
  void committedChanges_areNotMergedAgain() throws Exception {
    inTransaction(
        s -> {
          detached = s.find(Person.class, 1L);
          detached.profile.increment("height", 1);
        });
    inTransaction(s -> s.merge(detached));
    assertThat(people().at(1L, "height").get(Integer.class)).contains(181);
  }

  @SuppressWarnings("unchecked")
  private static KeyedJson<Profile> serialized(KeyedJson<Profile> document) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(document);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (KeyedJson<Profile>) in.readObject();
    }
  }

  @Test
  void changesAfterSerialization_areAppliedToTheCurrentDocument() throws Exception {
    persist(new Person(2, KeyedJson.of(Profile.small("s"))));
    Person small = fromTransaction(s -> s.find(Person.class, 2L));
    for (Person person : List.of(detached, small)) {
      people().at(person.id, "nick").set("meanwhile");
      person.profile = serialized(person.profile);
      inTransaction(s -> s.merge(person));
      assertThat(people().at(person.id, "nick").get(String.class)).contains("meanwhile");
      person.profile.set("height", 7);
      inTransaction(s -> s.merge(person));
      assertThat(people().at(person.id, "nick").get(String.class)).contains("meanwhile");
      assertThat(people().at(person.id, "height").get(Integer.class)).contains(7);
    }
    assertThat(people().at(1L, "roles").size()).hasValue(400);
  }

  @Test
  void changesBeforeSerialization_areMergedAsAWhole() throws Exception {
    detached =
        fromTransaction(
            s -> {
              Person person = s.find(Person.class, 1L);
              person.profile.load();
              return person;
            });
    assertThat(serialized(detached.profile).text()).isEqualTo(detached.profile.text());
    detached.profile.set("height", 7);
    detached.profile = serialized(detached.profile);
    inTransaction(s -> s.merge(detached));
    assertThat(people().at(1L, "height").get(Integer.class)).contains(7);
    assertThat(people().at(1L, "roles").size()).hasValue(400);
  }
}
