package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.hibernate.jsonb.Studio.Catalogue;
import io.pgtoaster.it.hibernate.jsonb.Studio.Film;
import io.pgtoaster.it.hibernate.kit.Orm.Work;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.jsonb.DocumentColumn;
import jakarta.persistence.OptimisticLockException;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Objects of any class are stored as documents, and only differences are written. */
class MappedObjectIT extends DocumentOrmSuite {
  private DocumentColumn column;

  @Override
  OrmBuilder configure(OrmBuilder builder) {
    return builder
        .schema(
            "CREATE TABLE studio (id bigint PRIMARY KEY, name text, profile jsonb, made jsonb,"
                + " notes jsonb, tree jsonb)",
            attach("studio"),
            attach("studio").replace("'profile'", "'made'"),
            attach("studio").replace("'profile'", "'notes'"),
            attach("studio").replace("'profile'", "'tree'"))
        .entities(Person.class, Account.class, Studio.class);
  }

  @BeforeEach
  void oneRow() throws Exception {
    Studio studio = new Studio(1);
    studio.profile = Catalogue.big();
    studio.made = Profile.big("b");
    studio.notes = Map.of("a", 1, "b", List.of("x".repeat(4000), "y"));
    studio.tree = Json.mapper().readTree("{\"a\": 1.50, \"b\": {\"c\": [1, 2]}}");
    inTransaction(s -> s.persist(studio));
    column = PgToaster.create(orm().database().dataSource()).documents("studio", "profile");
    inTransaction(s -> s.find(Studio.class, 1L).profile.count = -1);
    orm().statements();
  }

  @AfterEach
  void noRow() throws Exception {
    for (String name : List.of("profile", "made", "notes", "tree")) {
      DocumentColumn each =
          PgToaster.create(orm().database().dataSource()).documents("studio", name);
      assertThat(each.verify(1L)).isEmpty();
    }
    orm().database().run("DELETE FROM studio");
  }

  private void change(Work<Studio> change) throws Exception {
    inTransaction(
        s -> {
          Studio studio = s.find(Studio.class, 1L);
          sql();
          change.in(studio);
        });
  }

  @Test
  void objects_areLoadedUnchanged() throws Exception {
    inTransaction(
        s -> {
          Studio studio = s.find(Studio.class, 1L);
          assertThat(sql()).hasSize(1);
          assertThat(studio.profile.films).hasSize(400);
          assertThat(studio.profile.films.get(399).title).isEqualTo("film 399");
          assertThat(studio.made).isEqualTo(Profile.big("b"));
          assertThat(studio.notes).containsEntry("a", 1).containsKey("b");
          assertThat(studio.tree.get("a").decimalValue()).hasToString("1.50");
        });
    assertThat(sql()).isEmpty();
  }

  @Test
  void changedMember_takesOneStatement() throws Exception {
    change(studio -> studio.profile.films.get(7).title = "changed");
    assertThat(sql()).hasSize(1);
    assertThat(column.at(1L, "films[7].title").get(String.class)).contains("changed");
    assertThat(column.at(1L, "films").size()).hasValue(400);
  }

  @Test
  void elements_areAppendedInsertedAndRemoved() throws Exception {
    change(
        studio -> {
          studio.profile.films.add(new Film("last", 1));
          studio.profile.films.add(new Film("very last", 1));
        });
    assertThat(column.at(1L, "films").size()).hasValue(402);
    change(studio -> studio.profile.films.add(0, new Film("first", 1)));
    assertThat(column.at(1L, "films[0].title").get(String.class)).contains("first");
    change(studio -> studio.profile.films.subList(1, 4).clear());
    assertThat(column.at(1L, "films").size()).hasValue(400);
    assertThat(column.at(1L, "films[1].title").get(String.class)).contains("film 3");
    change(studio -> studio.profile.films.removeIf(f -> f.title.endsWith("5")));
    assertThat(column.at(1L, "films").size()).hasValue(360);
    change(studio -> studio.profile.films.clear());
    assertThat(column.at(1L, "films").size()).hasValue(0);
  }

  @Test
  void otherTypes_areComparedLeafByLeaf() throws Exception {
    change(
        studio -> {
          studio.made =
              new Profile(
                  "c",
                  studio.made.height(),
                  studio.made.balance(),
                  studio.made.roles(),
                  studio.made.bio());
          studio.notes.put("c", "new");
          ((ObjectNode) studio.tree.get("b")).put("d", true);
        });
    assertThat(sql()).hasSize(3);
    change(
        studio -> {
          assertThat(studio.made.nick()).isEqualTo("c");
          assertThat(studio.notes).containsEntry("c", "new");
          assertThat(studio.tree.toString()).contains("\"d\":true");
        });
    assertThat(sql()).isEmpty();
  }

  @Test
  void assignedObject_isComparedWithTheStoredOne() throws Exception {
    change(
        studio -> {
          studio.name = "renamed, too";
          studio.profile = Catalogue.big();
          studio.profile.count = 5;
        });
    assertThat(sql()).hasSize(2);
    assertThat(column.at(1L, "count").get(Integer.class)).contains(5);
    change(studio -> studio.profile = null);
    assertThat(column.text(1L)).isEmpty();
    change(studio -> studio.profile = Catalogue.big());
    assertThat(column.at(1L, "films").size()).hasValue(400);
  }

  @Test
  void membersUnknownToTheClass_areKept() throws Exception {
    column.at(1L, "unknown").set("kept");
    column.at(1L, "films[3].unknown").set("kept, too");
    change(
        studio -> {
          studio.profile.nick = null;
          studio.profile.films.get(3).title = "changed";
        });
    change(studio -> studio.profile.films.remove(390));
    assertThat(column.at(1L, "unknown").get(String.class)).contains("kept");
    assertThat(column.at(1L, "films[3].unknown").get(String.class)).contains("kept, too");
    assertThat(column.at(1L, "films[3].title").get(String.class)).contains("changed");
    assertThat(column.at(1L, "nick").exists()).isFalse();
  }

  @Test
  void disjointChanges_bothSurviveAndOthersConflict() throws Exception {
    try (Session session = orm().factory().openSession()) {
      session.beginTransaction();
      Studio studio = session.find(Studio.class, 1L);
      column.at(1L, "films[1].year").set(5);
      column.at(1L, "count").set(5);
      studio.profile.films.get(2).year = 6;
      session.flush();
      studio.profile.count = 6;
      assertThatThrownBy(session::flush)
          .isInstanceOf(OptimisticLockException.class)
          .hasMessageContaining("count");
    }
    change(studio -> studio.profile.films.get(2).year = 6);
    assertThat(column.at(1L, "films[1].year").get(Integer.class)).contains(5);
    assertThat(column.at(1L, "films[2].year").get(Integer.class)).contains(6);
  }

  @Test
  void severalFlushes_writeOnlyNewChanges() throws Exception {
    inTransaction(
        s -> {
          Studio studio = s.find(Studio.class, 1L);
          sql();
          for (int i = 0; i < 3; i++) {
            studio.profile.count = i;
            s.flush();
            assertThat(sql()).hasSize(1);
            s.flush();
            assertThat(sql()).isEmpty();
          }
        });
  }

  @Test
  void detachedObject_isMergedAsOneValue() throws Exception {
    Studio detached = fromTransaction(s -> s.find(Studio.class, 1L));
    detached.profile.count = 9;
    column.at(1L, "films[1].year").set(5);
    inTransaction(s -> s.merge(detached));
    assertThat(column.at(1L, "count").get(Integer.class)).contains(9);
    // As for any attribute in Hibernate, this replaces what another transaction has written
    // meanwhile.
    assertThat(column.at(1L, "films[1].year").get(Integer.class)).contains(1);
    Studio added = new Studio(2);
    added.profile = Catalogue.big();
    inTransaction(s -> s.merge(added));
    assertThat(column.at(2L, "films").size()).hasValue(400);
  }

  @Test
  void statelessSession_writesWholeObjects() throws Exception {
    Studio studio = new Studio(2);
    studio.profile = Catalogue.big();
    statelessly(s -> s.insert(studio));
    assertThat(column.at(2L, "films").size()).hasValue(400);
    statelessly(
        s -> {
          Studio found = s.get(Studio.class, 2L);
          assertThat(found.profile.films).hasSize(400);
          found.profile.films.clear();
          s.update(found);
        });
    assertThat(column.at(2L, "films").size()).hasValue(0);
  }
}
