package io.pgtoaster.it.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.AppendableColumn;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.UpdateTimestamp;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Update listeners see a change of content as a change of its attribute. */
class ListenersIT {
  @AutoClose private static Orm orm;
  private static final List<String> UPDATES = new ArrayList<>();
  private static final Map<String, Object> OLD = new HashMap<>();

  /** Counts the calls of its callbacks. */
  @MappedSuperclass
  static class Heard {
    @Id long id = 1;
    String title = "t";
    int callbacks;
    @Transient int after;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> plain = new HashMap<>(Map.of("a", 1));

    KeyedJson<Map<String, Object>> notes = KeyedJson.of(Map.of("a", 1, "list", List.of()));
    @KeyedColumn Map<String, Object> mapped = new HashMap<>(Map.of("a", 1));
    AppendableBlob audio = AppendableBlob.of(new byte[10]);

    @AppendableColumn(versioned = true)
    AppendableBlob counted = AppendableBlob.of(new byte[10]);

    @PreUpdate
    void before() {
      callbacks++;
    }

    @PostUpdate
    void after() {
      after++;
    }
  }

  @Entity(name = "Timed")
  static class Timed extends Heard {
    @UpdateTimestamp Instant changed;
  }

  @Entity(name = "Counted")
  @DynamicUpdate
  static class Counted extends Heard {
    @Version int version;
  }

  /** An entity without callbacks. */
  @Entity(name = "Silent")
  static class Silent {
    @Id long id = 1;
    String title = "t";
    KeyedJson<Map<String, Object>> notes = KeyedJson.of(Map.of("a", 1));
    @KeyedColumn Map<String, Object> mapped = new HashMap<>(Map.of("a", 1));
  }

  /** Changes its document when its title changes. */
  /** Records the updates that Hibernate reports. */
  private static final class Listener implements PostUpdateEventListener {
    private static final long serialVersionUID = 1;

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
      OLD.clear();
      for (int i = 0; i < event.getOldState().length; i++) {
        OLD.put(event.getPersister().getPropertyNames()[i], event.getOldState()[i]);
      }
      StringBuilder update = new StringBuilder(event.getPersister().getEntityName());
      for (int index : event.getDirtyProperties()) {
        String name = event.getPersister().getPropertyNames()[index];
        if (!name.equals("callbacks")) {
          update.append(' ').append(name);
        }
      }
      UPDATES.add(update.substring(update.lastIndexOf("$") + 1));
    }

    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
      return false;
    }
  }

  @BeforeAll
  static void start() {
    orm =
        Orm.on(Setting.newest().get(0)).entities(Timed.class, Counted.class, Silent.class).build();
    ((SessionFactoryImplementor) orm.factory())
        .getServiceRegistry()
        .requireService(EventListenerRegistry.class)
        .appendListeners(EventType.POST_UPDATE, new Listener());
  }

  @BeforeEach
  void oneRowEach() throws Exception {
    orm.inTransaction(
        s -> {
          for (Object entity : List.of(new Timed(), new Counted(), new Silent())) {
            s.createMutationQuery("delete from " + entity.getClass().getSimpleName())
                .executeUpdate();
            s.persist(entity);
          }
        });
    UPDATES.clear();
  }

  private static Map<String, Orm.Work<Heard>> changes() {
    Map<String, Orm.Work<Heard>> changes = new LinkedHashMap<>();
    changes.put("plain", heard -> heard.plain.put("a", 2));
    changes.put("notes", heard -> heard.notes.set("a", 2));
    changes.put("notes ", heard -> heard.notes.append("list", 2));
    changes.put("notes  ", heard -> heard.notes = KeyedJson.of(Map.of("list", List.of())));
    changes.put("mapped", heard -> heard.mapped.put("a", 2));
    changes.put("mapped ", heard -> heard.mapped = null);
    changes.put("audio", heard -> heard.audio = AppendableBlob.of(new byte[3]));
    changes.put("counted", heard -> heard.counted.append(new byte[3]));
    return changes;
  }

  @Test
  void listenersSeeChangedContent_likeHibernatesOwnJson() throws Exception {
    int count = 0;
    for (var change : changes().entrySet()) {
      String name = change.getKey().trim();
      Instant before = orm.fromTransaction(s -> s.find(Timed.class, 1).changed);
      orm.inTransaction(
          s -> {
            Timed timed = s.find(Timed.class, 1);
            Counted counted = s.find(Counted.class, 1);
            change.getValue().in(timed);
            change.getValue().in(counted);
            s.flush();
            assertThat(timed.after).as(name).isOne();
            orm.statements();
            s.flush();
            assertThat(orm.sql()).as(name).isEmpty();
          });
      count++;
      int calls = count;
      orm.inTransaction(
          s -> {
            Timed timed = s.find(Timed.class, 1);
            assertThat(timed.callbacks).as(name).isEqualTo(calls);
            assertThat(timed.changed).as(name).isAfter(before);
            Counted counted = s.find(Counted.class, 1);
            assertThat(counted.callbacks).as(name).isEqualTo(calls);
            assertThat(counted.version).as(name).isEqualTo(calls);
          });
      assertThat(UPDATES).as(name).containsExactlyInAnyOrder("Timed " + name, "Counted " + name);
      UPDATES.clear();
    }
  }

  @Test
  void listenersSeeAppends_onlyIfTheMappingRequestsIt() throws Exception {
    orm.inTransaction(s -> s.find(Timed.class, 1).audio.append(new byte[3]));
    assertThat(UPDATES).isEmpty();
    orm.inTransaction(s -> assertThat(s.find(Timed.class, 1).callbacks).isZero());
  }

  @Test
  void listenersDoNotSeeUnchangedContent() throws Exception {
    orm.inTransaction(
        s -> {
          Timed timed = s.find(Timed.class, 1);
          timed.notes.get("a");
          timed.mapped.put("a", 1);
        });
    assertThat(UPDATES).isEmpty();
  }

  @Test
  void queryOfOtherTables_leavesTheUpdateToTheNextFlush() throws Exception {
    Instant before = orm.fromTransaction(s -> s.find(Timed.class, 1).changed);
    orm.inTransaction(
        s -> {
          Timed timed = s.find(Timed.class, 1);
          timed.notes.set("a", 2);
          s.createSelectionQuery("from Silent", Silent.class).getResultList();
          assertThat(UPDATES).isEmpty();
          assertThat(
                  s.createSelectionQuery("select t.notes['a'] from Timed t", String.class)
                      .getSingleResult())
              .isEqualTo("2");
          assertThat(UPDATES).containsExactly("Timed notes");
        });
    orm.inTransaction(s -> assertThat(s.find(Timed.class, 1).changed).isAfter(before));
    assertThat(UPDATES).containsExactly("Timed notes");
  }

  @Test
  void oldValue_isTheMappedObjects() throws Exception {
    orm.inTransaction(
        s -> {
          s.find(Timed.class, 1).mapped.put("a", 2);
          s.flush();
          assertThat(OLD).containsEntry("mapped", Map.of("a", 1)).containsEntry("title", "t");
        });
    orm.inTransaction(
        s -> {
          s.find(Timed.class, 1).notes.set("a", 2);
          s.flush();
          assertThat(OLD).containsEntry("notes", null).containsEntry("mapped", Map.of("a", 2));
        });
  }

  @Test
  void rowIsNotUpdated_ifNothingElseChanges() throws Exception {
    orm.inTransaction(
        s -> {
          Silent silent = s.find(Silent.class, 1);
          orm.statements();
          silent.notes.set("a", 2);
          silent.mapped.put("a", 2);
          s.flush();
          assertThat(orm.sql()).noneMatch(sql -> sql.contains("title"));
        });
    assertThat(UPDATES).containsExactly("Silent mapped notes");
    assertThat(orm.database().strings("SELECT notes || mapped || '{}' FROM silent"))
        .containsExactly("{\"a\": 2}");
  }
}
