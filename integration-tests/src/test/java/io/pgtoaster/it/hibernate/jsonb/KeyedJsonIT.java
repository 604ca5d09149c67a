package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.kit.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A document is loaded with its row and read by path. Only changes are written. */
class KeyedJsonIT extends DocumentOrmSuite {
  @Test
  void persistedDocument_isLoadedUnchanged() throws Exception {
    Profile big = Profile.big("b");
    persist(new Person(1, KeyedJson.of(Profile.small("s"))), new Person(2, KeyedJson.of(big)));
    persist(
        new Person(3, null), new Person(4, KeyedJson.ofJson("{\"$pgtoaster\": [1], \"a\": 1}")));
    inTransaction(
        s -> {
          assertThat(s.find(Person.class, 1L).profile.load()).isEqualTo(Profile.small("s"));
          assertThat(s.find(Person.class, 2L).profile.load()).isEqualTo(big);
          assertThat(s.find(Person.class, 3L).profile).isNull();
          assertThat(s.find(Person.class, 4L).profile.text())
              .isEqualTo("{\"a\": 1, \"$pgtoaster\": [1]}");
        });
  }

  @Test
  void smallDocument_takesOneStatement() throws Exception {
    inTransaction(s -> s.persist(new Person(1, KeyedJson.of(Profile.small("s")))));
    assertThat(sql()).singleElement().asString().startsWith("insert into Person");
  }

  @Test
  void largeDocument_isInsertedWithItsSmallMembers() throws Exception {
    inTransaction(s -> s.persist(new Account(1, KeyedJson.of(Profile.big("b")))));
    assertThat(sql().get(0)).startsWith("insert into Account");
    inTransaction(
        s -> {
          Account account = s.find(Account.class, 1L);
          assertThat(account.profile.load()).isEqualTo(Profile.big("b"));
          assertThat(account.version).isZero();
        });
  }

  @Test
  void smallMember_isReadWithoutAStatement() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          sql();
          assertThat(profile.get("nick", String.class)).contains("b");
          assertThat(profile.get("/height").map(JsonNode::intValue)).contains(180);
          assertThat(profile.get("balance").map(JsonNode::decimalValue))
              .hasToString("Optional[1234567890.10]");
          assertThat(profile.exists("nothing")).isFalse();
          assertThat(sql()).isEmpty();
        });
  }

  @Test
  void movedMember_isReadOnceByItsPath() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          sql();
          assertThat(profile.get("roles[7].title", String.class)).contains("role 7 of b");
          assertThat(profile.get("roles[7].title", String.class)).contains("role 7 of b");
          assertThat(sql()).hasSize(mapped.keyed() ? 1 : 0);
          assertThat(profile.size("roles")).hasValue(400);
          assertThat(profile.slice("roles", 398, 500).orElseThrow()).hasSize(2);
          assertThat(profile.slice("roles", -3, -1)).isEqualTo(profile.slice("roles", 397, 399));
          assertThat(profile.slice("roles", -1, Long.MAX_VALUE, java.util.Map.class).orElseThrow())
              .singleElement()
              .extracting("title")
              .isEqualTo("role 399 of b");
          assertThat(profile.get("roles[400]")).isEmpty();
        });
  }

  @Test
  void slice_thatEndsBeforeItsStart_isRefused() throws Exception {
    persist(
        new Person(1, KeyedJson.of(Profile.big("b"))),
        new Person(2, KeyedJson.of(Profile.small("s"))));
    inTransaction(
        s -> {
          for (long id = 1; id <= 2; id++) {
            KeyedJson<Profile> profile = s.find(Person.class, id).profile;
            for (long[] range : new long[][] {{2, 1}, {-1, -2}}) {
              Expect.refused(
                  InvalidOffsetException.class, () -> profile.slice("roles", range[0], range[1]));
            }
            assertThat(profile.slice("roles", -1, 0)).contains(List.of());
          }
        });
  }

  @Test
  void largeMember_of100Entities_takesAtMostThreeStatements() throws Exception {
    persist(
        LongStream.range(0, 100)
            .mapToObj(i -> new Person(i, KeyedJson.of(Profile.big("p" + i))))
            .toArray(Person[]::new));
    inTransaction(
        s -> {
          List<Person> all = s.createSelectionQuery("from Person order by id", Person.class).list();
          List<String> bios = new ArrayList<>();
          for (Person person : all) {
            bios.add(person.profile.get("bio", String.class).orElseThrow());
          }
          assertThat(bios).hasSize(100).contains("p99".repeat(2000));
          assertThat(sql().size()).isLessThanOrEqualTo(3);
        });
  }

  @Test
  void nothingChanged_writesNothing() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          Person person = s.find(Person.class, 1L);
          person.profile.load();
          sql();
          s.flush();
        });
    assertThat(sql()).isEmpty();
  }

  @Test
  void changeOfASmallMember_takesOneStatement() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          Person person = s.find(Person.class, 1L);
          sql();
          for (int i = 0; i < 5; i++) {
            person.profile.set("height", 181 + i);
          }
          assertThat(person.profile.get("height", int.class)).contains(185);
        });
    assertThat(sql()).hasSize(1);
    assertThat(people().at(1L, "height").get(Integer.class)).contains(185);
    assertThat(people().at(1L, "roles").size()).hasValue(400);
  }

  @Test
  void changeOfAnElementOfALargeMember_takesOneStatement() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          Person person = s.find(Person.class, 1L);
          sql();
          person.profile.set("roles[3].title", "changed");
        });
    assertThat(sql()).hasSize(1);
    assertThat(people().at(1L, "roles[3].title").get(String.class)).contains("changed");
  }

  @Test
  void appendsAndIncrements_takeOneStatementPerPath() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          Person person = s.find(Person.class, 1L);
          sql();
          for (int i = 0; i < 10; i++) {
            person.profile.append("roles", new Profile.Role("new " + i, 2000));
            person.profile.increment("height", 2);
          }
          assertThat(person.profile.get("height", int.class)).contains(200);
        });
    assertThat(sql().size()).isLessThanOrEqualTo(6);
    assertThat(people().at(1L, "height").get(Integer.class)).contains(200);
    assertThat(people().at(1L, "roles[-1].title").get(String.class)).contains("new 9");
    assertThat(people().at(1L, "roles").size()).hasValue(410);
  }

  @Test
  void loadAndAppend_takeTwoStatements() throws Exception {
    persist(
        new Person(1, KeyedJson.of(Profile.big("b"))),
        new Person(2, KeyedJson.of(Profile.small("s"))));
    for (int year = 0; year < 10; year++) {
      long id = year < 5 ? 1 : 2;
      append(id, year);
      assertThat(sql()).as("time %d", year).hasSize(2);
      assertThat(people().at(id, "roles[-1].year").get(Integer.class)).contains(year);
    }
    // The library notices only after an edit that the places alternate.
    for (int year = 10; year < 20; year++) {
      append(year % 2 == 0 ? 1 : 2, year);
    }
    assertThat(sql().size()).isBetween(20, 21);
    assertThat(people().at(1L, "roles").size()).hasValue(410);
    assertThat(people().at(2L, "roles").size()).hasValue(10);
  }

  private void append(long id, int year) throws Exception {
    Profile.Role role = new Profile.Role("new", year);
    inTransaction(s -> s.find(Person.class, id).profile.append("roles", role));
  }

  @Test
  void readAfterAChange_seesIt() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          profile.append("roles", new Profile.Role("last", 1));
          assertThat(profile.size("roles")).hasValue(401);
          assertThat(profile.get("roles[-1].title", String.class)).contains("last");
          profile.insert("roles[0]", new Profile.Role("first", 1));
          assertThat(profile.get("roles[0].title", String.class)).contains("first");
          profile.remove("roles[0]");
          profile.remove("bio");
          assertThat(profile.exists("bio")).isFalse();
          assertThat(profile.keys("").orElseThrow())
              .containsExactly("nick", "roles", "height", "balance");
          profile.set("extra", 1);
          assertThat(profile.load().roles()).hasSize(401);
          assertThat(profile.load().bio()).isNull();
        });
    assertThat(people().at(1L, "roles").size()).hasValue(401);
    assertThat(people().at(1L, "").keys().orElseThrow())
        .containsExactly("nick", "extra", "roles", "height", "balance");
  }

  @Test
  void replacement_isExactlyTheDocumentGiven() throws Exception {
    persist(
        new Person(1, KeyedJson.of(Profile.big("b"))),
        new Person(2, KeyedJson.of(Profile.big("c"))));
    inTransaction(
        s -> {
          s.find(Person.class, 1L).profile = KeyedJson.of(Profile.small("s"));
          s.find(Person.class, 2L).profile.put(Profile.small("t"));
        });
    assertThat(people().load(1L, Profile.class)).contains(Profile.small("s"));
    assertThat(people().load(2L, Profile.class)).contains(Profile.small("t"));
  }

  @Test
  void assigningNull_clearsTheColumn() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          Person person = s.find(Person.class, 1L);
          person.profile = null;
          person.name = "changed, too";
        });
    assertThat(people().text(1L)).isEmpty();
  }

  @Test
  void documentOfAnotherEntity_isCopied() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))), new Person(2, null));
    inTransaction(
        s -> {
          Person one = s.find(Person.class, 1L);
          s.find(Person.class, 2L).profile = one.profile;
          s.persist(new Person(3, one.profile));
          s.flush();
          one.profile.set("nick", "of one");
          s.find(Person.class, 2L).profile.set("nick", "of two");
        });
    assertThat(people().at(1L, "nick").get(String.class)).contains("of one");
    assertThat(people().at(2L, "nick").get(String.class)).contains("of two");
    assertThat(people().load(3L, Profile.class)).contains(Profile.big("b"));
  }

  @Test
  void changesOfANewEntity_areWrittenWithIt() throws Exception {
    inTransaction(
        s -> {
          Person person = new Person(1, KeyedJson.of(Profile.big("b")));
          s.persist(person);
          person.profile.set("nick", "before");
          s.flush();
          person.profile.set("height", 1);
          person.profile.append("roles", new Profile.Role("x", 1));
        });
    assertThat(people().at(1L, "nick").get(String.class)).contains("before");
    assertThat(people().at(1L, "height").get(Integer.class)).contains(1);
    assertThat(people().at(1L, "roles").size()).hasValue(401);
  }

  @Test
  void rollback_undoesAllChanges() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    try (var session = orm().factory().openSession()) {
      session.beginTransaction();
      session.find(Person.class, 1L).profile.set("roles[0].title", "lost");
      Person lost = new Person(2, KeyedJson.of(Profile.big("c")));
      session.persist(lost);
      session.flush();
      session.getTransaction().rollback();
      session.clear();
      session.beginTransaction();
      session.persist(lost);
      session.getTransaction().commit();
    }
    assertThat(people().load(1L, Profile.class)).contains(Profile.big("b"));
    assertThat(people().load(2L, Profile.class)).contains(Profile.big("c"));
  }

  @Test
  void changeOfTheDocument_incrementsTheVersionOnce() throws Exception {
    inTransaction(s -> s.persist(new Account(1, KeyedJson.of(Profile.big("b")))));
    orm().statements();
    inTransaction(
        s -> {
          Account account = s.find(Account.class, 1L);
          sql();
          account.profile.set("height", 1);
        });
    assertThat(sql()).hasSize(2);
    inTransaction(
        s -> {
          Account account = s.find(Account.class, 1L);
          account.name = "both";
          account.profile.set("roles[1].year", 1);
        });
    assertThat(orm().database().number("SELECT version FROM account")).isEqualTo(2);
  }
}
