package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm.Work;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.jsonb.DocumentColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OptimisticLockException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cost of a flush: how often it maps an object, and the statements that it sends. */
class FlushIT extends DocumentOrmSuite {
  private static int mappings;

  private DocumentColumn column;

  /** An entity with both kinds of documents. */
  @Entity(name = "Reel")
  static class Reel {
    @Id long id = 1;
    KeyedJson<Map<String, Object>> profile;
    @KeyedColumn Scenes scenes = new Scenes();
  }

  /** Counts how often it is mapped to JSON. */
  static class Scenes {
    public Map<String, Integer> small = new TreeMap<>();
    public List<Scene> list = new ArrayList<>();
    private String title = "t";

    public String getTitle() {
      mappings++;
      return title;
    }

    public void setTitle(String title) {
      this.title = title;
    }
  }

  /** An element of an array that is stored out of line. */
  static class Scene {
    public int year;
    public String text = "x".repeat(100);
  }

  @Override
  OrmBuilder configure(OrmBuilder builder) {
    return builder
        .schema(
            "CREATE TABLE reel (id bigint PRIMARY KEY, profile jsonb, scenes jsonb)",
            attach("reel"),
            attach("reel").replace("'profile'", "'scenes'"))
        .entities(Person.class, Account.class, Reel.class);
  }

  @BeforeEach
  void oneRow() throws Exception {
    inTransaction(s -> s.persist(filled(new Reel())));
    column = PgToaster.create(orm().database().dataSource()).documents("reel", "scenes");
    inTransaction(s -> change(s.find(Reel.class, 1L), 2, -1));
    orm().statements();
  }

  @AfterEach
  void noRow() throws Exception {
    assertThat(column.verify(1L)).isEmpty();
    orm().database().run("DELETE FROM reel");
  }

  private static Reel filled(Reel reel) {
    for (int i = 0; i < 10; i++) {
      reel.scenes.small.put("n" + i, i);
    }
    for (int i = 0; i < 400; i++) {
      reel.scenes.list.add(new Scene());
    }
    reel.profile = KeyedJson.of(Map.of("small", reel.scenes.small, "list", reel.scenes.list));
    return reel;
  }

  /** Changes this many paths of both documents. Paths with odd numbers are in the row. */
  private static void change(Reel reel, int paths, int value) {
    for (int i = 0; i < paths; i++) {
      if (i % 2 == 0) {
        reel.scenes.list.get(40 * i).year = value;
        reel.profile.set("list[" + 40 * i + "].year", value);
      } else {
        reel.scenes.small.put("n" + i, value);
        reel.profile.set("small.n" + i, value);
      }
    }
  }

  private void inSession(Work<Session> work) throws Exception {
    inTransaction(
        s -> {
          sql();
          mappings = 0;
          work.in(s);
        });
  }

  @Test
  void object_isMappedOncePerFlush() throws Exception {
    inSession(
        s -> {
          Reel reel = s.find(Reel.class, 1L);
          s.flush();
          // The library also maps the loaded document, converted by the class.
          assertThat(mappings).isEqualTo(2);
          s.flush();
          assertThat(mappings).isEqualTo(3);
          change(reel, 10, 5);
          s.flush();
          assertThat(mappings).isEqualTo(4);
          reel.scenes.setTitle("changed");
          s.flush();
          assertThat(mappings).isEqualTo(5);
          reel.scenes = filled(new Reel()).scenes;
          s.flush();
          assertThat(mappings).isEqualTo(6);
        });
    assertThat(column.at(1L, "list[0].year").get(Integer.class)).contains(0);
  }

  @Test
  void newObject_isMappedOnce() throws Exception {
    inSession(
        s -> {
          Reel reel = filled(new Reel());
          reel.id = 2;
          s.persist(reel);
          s.flush();
          assertThat(mappings).isEqualTo(1);
        });
    assertThat(column.at(2L, "list").size()).hasValue(400);
  }

  @Test
  void changesOfOneDocument_takeOneStatement_andAtMostOneUpdateOfTheRow() throws Exception {
    for (int paths : new int[] {1, 2, 3, 10}) {
      inSession(
          s -> {
            change(s.find(Reel.class, 1L), paths, paths);
            sql();
            long before = updates(s);
            sql();
            s.flush();
            // A stock column needs one statement per path.
            int each = mapped.keyed() ? 1 : paths;
            assertThat(sql()).as(paths + " paths").hasSize(2 * each);
            assertThat(updates(s) - before).as(paths + " paths").isLessThanOrEqualTo(2L * each);
          });
      inSession(
          s -> {
            Reel reel = s.find(Reel.class, 1L);
            for (int i = 0; i < paths; i++) {
              String path = i % 2 == 0 ? "list[" + 40 * i + "].year" : "small.n" + i;
              assertThat(column.at(1L, path).get(Integer.class)).contains(paths);
              assertThat(reel.profile.get(path, Integer.class)).contains(paths);
            }
          });
    }
  }

  private static long updates(Session session) {
    return session
        .createNativeQuery("SELECT pg_stat_get_xact_tuples_updated('reel'::regclass)", Long.class)
        .getSingleResult();
  }

  @Test
  void editsOfAllKinds_takeOneStatement() throws Exception {
    inSession(
        s -> {
          KeyedJson<?> profile = s.find(Reel.class, 1L).profile;
          assertThat(profile.get("small.n3", Integer.class)).contains(3);
          sql();
          profile.set("small.n3", 30);
          profile.set("small.$pgtoaster", Map.of("$pgtoaster", 1));
          profile.increment("small.n4", 10);
          profile.remove("small.n5");
          profile.remove("nothing");
          profile.append("list", Map.of("year", 7), Map.of("year", 8));
          profile.insert("list[0]", Map.of("year", 9));
          profile.set("tags", List.of());
          profile.append("tags", "a");
          s.flush();
          if (mapped.keyed()) {
            assertThat(sql()).hasSize(1);
          }
        });
    inSession(
        s -> {
          KeyedJson<?> profile = s.find(Reel.class, 1L).profile;
          assertThat(profile.get("small.n3", Integer.class)).contains(30);
          assertThat(profile.get("small.$pgtoaster.$pgtoaster", Integer.class)).contains(1);
          assertThat(profile.get("small.n4", Integer.class)).contains(14);
          assertThat(profile.exists("small.n5")).isFalse();
          assertThat(profile.size("list")).hasValue(403);
          assertThat(profile.get("list[0].year", Integer.class)).contains(9);
          assertThat(profile.get("list[-1].year", Integer.class)).contains(8);
          assertThat(profile.text()).contains("\"tags\": [\"a\"]");
        });
  }

  @Test
  void fullRow_isSplitBetweenTheEdits() throws Exception {
    inSession(
        s -> {
          KeyedJson<?> profile = s.find(Reel.class, 1L).profile;
          for (int i = 0; i < 10; i++) {
            profile.set("small.n" + i, "y".repeat(900));
          }
        });
    inSession(
        s -> {
          KeyedJson<?> profile = s.find(Reel.class, 1L).profile;
          for (int i = 0; i < 10; i++) {
            assertThat(profile.get("small.n" + i, String.class)).contains("y".repeat(900));
          }
        });
  }

  @Test
  void changesByOtherTransactions_areKeptOrConflict() throws Exception {
    DocumentColumn profiles =
        PgToaster.create(orm().database().dataSource()).documents("reel", "profile");
    inSession(
        s -> {
          Reel reel = s.find(Reel.class, 1L);
          column.at(1L, "list[2].year").set(77);
          column.at(1L, "small.n2").set(77);
          profiles.at(1L, "list[2].year").set(77);
          profiles.at(1L, "small.n2").set(77);
          change(reel, 10, 6);
        });
    for (DocumentColumn each : List.of(column, profiles)) {
      assertThat(each.at(1L, "list[2].year").get(Integer.class)).contains(77);
      assertThat(each.at(1L, "small.n2").get(Integer.class)).contains(77);
      assertThat(each.at(1L, "small.n9").get(Integer.class)).contains(6);
    }
    for (String path : List.of("small.n1", "list[80].year", "list[320].year")) {
      assertThatThrownBy(
              () ->
                  inSession(
                      s -> {
                        Reel reel = s.find(Reel.class, 1L);
                        column.at(1L, path).set(path.length());
                        change(reel, 10, 8);
                        s.flush();
                      }))
          .isInstanceOf(OptimisticLockException.class)
          .hasMessageContaining(path);
      assertThat(column.at(1L, "small.n9").get(Integer.class)).contains(6);
    }
  }
}
