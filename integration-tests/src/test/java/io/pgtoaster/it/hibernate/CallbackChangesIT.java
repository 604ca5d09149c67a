package io.pgtoaster.it.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.hibernate.Interceptor;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostCommitUpdateEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.Type;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of content in callbacks and listeners of an update, and vetoes. */
class CallbackChangesIT {
  private static final List<String> HEARD = new ArrayList<>();
  @AutoClose private static Orm orm;
  private static Consumer<Note> callback;
  private static Consumer<Note> interceptor;
  private static Predicate<PreUpdateEvent> veto = event -> false;

  /** Runs a callback of the test before each update. */
  @MappedSuperclass
  static class Note {
    @Id long id = 1;
    String title = "t";
    KeyedJson<Map<String, Object>> doc = KeyedJson.of(Map.of("a", 1));
    KeyedJson<Map<String, Object>> other = KeyedJson.of(Map.of("a", 1));
    @KeyedColumn Map<String, Object> mapped = new HashMap<>(Map.of("a", 1));
    AppendableBlob audio = AppendableBlob.of(new byte[10]);

    @PreUpdate
    void before() {
      if (callback != null) {
        callback.accept(this);
      }
    }
  }

  @Entity(name = "Plain")
  static class Plain extends Note {}

  @Entity(name = "Counted")
  static class Counted extends Note {
    @Version int version;

    @OneToMany(cascade = CascadeType.ALL)
    List<Tag> tags = new ArrayList<>();
  }

  @Entity(name = "Tag")
  static class Tag {
    @Id long id = 1;
  }

  /** Sets attributes in the array, as interceptors do. */
  private static final class ContentInterceptor implements Interceptor {
    @Override
    public boolean onFlushDirty(
        Object entity, Object id, Object[] state, Object[] before, String[] names, Type[] types) {
      if (interceptor == null) {
        return false;
      }
      Note given = new Plain();
      interceptor.accept(given);
      state[Arrays.asList(names).indexOf("doc")] = given.doc;
      state[Arrays.asList(names).indexOf("audio")] = given.audio;
      return true;
    }
  }

  private static final class Listener
      implements PreUpdateEventListener, PostCommitUpdateEventListener {
    private static final long serialVersionUID = 1;

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
      return veto.test(event);
    }

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
      hear("committed", event);
    }

    @Override
    public void onPostUpdateCommitFailed(PostUpdateEvent event) {
      hear("failed", event);
    }

    private static void hear(String what, PostUpdateEvent event) {
      for (int index : event.getDirtyProperties()) {
        String name = event.getPersister().getPropertyNames()[index];
        HEARD.add(what + " " + name);
      }
    }

    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
      return true;
    }
  }

  @BeforeAll
  static void start() {
    orm =
        Orm.on(Setting.newest().get(0))
            .entities(Plain.class, Counted.class, Tag.class)
            .set("hibernate.session_factory.interceptor", new ContentInterceptor())
            .build();
    EventListenerRegistry registry =
        ((SessionFactoryImplementor) orm.factory())
            .getServiceRegistry()
            .requireService(EventListenerRegistry.class);
    registry.appendListeners(EventType.PRE_UPDATE, new Listener());
    registry.appendListeners(EventType.POST_COMMIT_UPDATE, new Listener());
  }

  @BeforeEach
  void oneRowEach() throws Exception {
    orm.inTransaction(
        s -> {
          s.createSelectionQuery("from Counted", Counted.class).getResultList().forEach(s::remove);
          s.createSelectionQuery("from Plain", Plain.class).getResultList().forEach(s::remove);
          s.flush();
          s.persist(new Plain());
          s.persist(new Counted());
        });
    HEARD.clear();
  }

  @AfterEach
  void nothingElse() {
    callback = null;
    interceptor = null;
    veto = event -> false;
  }

  /** Changes of content, by the name of the attribute and the value that is stored afterwards. */
  private static Map<List<String>, Consumer<Note>> changes() {
    Map<List<String>, Consumer<Note>> changes = new LinkedHashMap<>();
    changes.put(List.of("doc", "{\"a\": 2}"), note -> note.doc.set("a", 2));
    changes.put(List.of("doc", "{\"b\": 2}"), note -> note.doc = KeyedJson.of(Map.of("b", 2)));
    changes.put(List.of("doc", "null"), note -> note.doc = null);
    changes.put(List.of("mapped", "{\"a\": 2}"), note -> note.mapped.put("a", 2));
    changes.put(
        List.of("mapped", "{\"b\": 2}"), note -> note.mapped = new HashMap<>(Map.of("b", 2)));
    changes.put(List.of("mapped", "null"), note -> note.mapped = null);
    changes.put(List.of("audio", "3"), note -> note.audio = AppendableBlob.of(new byte[3]));
    changes.put(List.of("audio", "null"), note -> note.audio = null);
    return changes;
  }

  private static Map<String, Consumer<Note>> triggers() {
    return Map.of("title", n -> n.title += "x", "other", n -> n.other.set("a", n.title + "x"));
  }

  private static String stored(String table, String column) {
    String value = column.equals("audio") ? "pgtoaster.blob_length(audio)" : column;
    return orm.database().string("SELECT coalesce(" + value + "::text, 'null') FROM " + table);
  }

  private static <T extends Note> void update(Class<T> type, Consumer<Note> change)
      throws Exception {
    orm.inTransaction(s -> change.accept(s.find(type, 1)));
  }

  @Test
  void contentChangedByACallback_isWrittenWithTheUpdate() throws Exception {
    for (var trigger : triggers().entrySet()) {
      for (var change : changes().entrySet()) {
        for (Class<? extends Note> type : List.of(Plain.class, Counted.class)) {
          oneRowEach();
          String column = change.getKey().get(0);
          String what = trigger.getKey() + " " + change.getKey() + " " + type.getSimpleName();
          callback = change.getValue();
          update(type, trigger.getValue());
          callback = null;
          assertThat(stored(type.getSimpleName(), column))
              .as(what)
              .isEqualTo(change.getKey().get(1));
          assertThat(HEARD)
              .as(what)
              .containsExactlyInAnyOrder("committed " + column, "committed " + trigger.getKey());
          if (type == Counted.class) {
            assertThat(stored("counted", "version")).as(what).isEqualTo("1");
          }
        }
      }
    }
  }

  @Test
  void contentChangedByACallback_isWritten_ifOnlyACollectionChanges() throws Exception {
    for (var change : changes().entrySet()) {
      oneRowEach();
      callback = change.getValue();
      update(Counted.class, note -> ((Counted) note).tags.add(new Tag()));
      callback = null;
      assertThat(stored("counted", change.getKey().get(0)))
          .as(change.getKey().toString())
          .isEqualTo(change.getKey().get(1));
      assertThat(stored("counted", "version")).isEqualTo("1");
    }
  }

  @Test
  void contentSetByAnInterceptor_isWritten() throws Exception {
    interceptor =
        note -> {
          note.doc = KeyedJson.of(Map.of("b", 2));
          note.audio = null;
        };
    update(Plain.class, note -> note.title = "new");
    update(Counted.class, note -> note.other.set("a", 2));
    for (String table : List.of("plain", "counted")) {
      assertThat(stored(table, "doc")).isEqualTo("{\"b\": 2}");
      assertThat(stored(table, "audio")).isEqualTo("null");
    }
  }

  @Test
  void contentChangedByAListener_isWrittenWithTheUpdate() throws Exception {
    for (var change : changes().entrySet()) {
      for (var trigger : triggers().entrySet()) {
        oneRowEach();
        veto =
            event -> {
              change.getValue().accept((Note) event.getEntity());
              return false;
            };
        update(Plain.class, trigger.getValue());
        assertThat(stored("plain", change.getKey().get(0)))
            .as(change.getKey().toString())
            .isEqualTo(change.getKey().get(1));
      }
    }
  }

  @Test
  void contentSetInTheStateByAListener_isWritten() throws Exception {
    veto =
        event -> {
          int doc = Arrays.asList(event.getPersister().getPropertyNames()).indexOf("doc");
          event.getState()[doc] = KeyedJson.of(Map.of("b", 2));
          return false;
        };
    update(Plain.class, note -> note.title = "new");
    assertThat(stored("plain", "doc")).isEqualTo("{\"b\": 2}");
  }

  @Test
  void vetoedUpdate_writesNoContent() throws Exception {
    for (Class<? extends Note> type : List.of(Plain.class, Counted.class)) {
      String table = type.getSimpleName();
      for (var change : changes().entrySet()) {
        oneRowEach();
        String column = change.getKey().get(0);
        String before = stored(table, column);
        veto = event -> true;
        orm.inTransaction(
            s -> {
              Note note = s.find(type, 1);
              note.title = "new";
              change.getValue().accept(note);
              s.flush();
              assertThat(s.isDirty()).isTrue();
            });
        assertThat(stored(table, column)).as(change.getKey().toString()).isEqualTo(before);
        update(type, change.getValue());
        assertThat(stored(table, column)).as(change.getKey().toString()).isEqualTo(before);
        if (type == Counted.class) {
          assertThat(stored("counted", "version")).isEqualTo("0");
        }
      }
    }
  }

  @Test
  void vetoedUpdate_doesNotWriteAListenersChanges() throws Exception {
    veto =
        event -> {
          ((Note) event.getEntity()).doc.set("a", 2);
          return true;
        };
    update(Plain.class, note -> note.title = "new");
    assertThat(stored("plain", "doc")).isEqualTo("{\"a\": 1}");
  }

  @Test
  void vetoedUpdate_isRetriedByTheNextFlush() throws Exception {
    for (var change : changes().entrySet()) {
      oneRowEach();
      orm.inTransaction(
          s -> {
            veto = event -> true;
            change.getValue().accept(s.find(Plain.class, 1));
            s.flush();
            veto = event -> false;
          });
      assertThat(stored("plain", change.getKey().get(0)))
          .as(change.getKey().toString())
          .isEqualTo(change.getKey().get(1));
    }
  }

  @Test
  void vetoedUpdateOfAStatelessSession_writesNoContent() throws Exception {
    veto = event -> true;
    orm.statelessly(
        s -> {
          Plain plain = s.get(Plain.class, 1);
          plain.doc.set("a", 2);
          plain.audio = null;
          s.update(plain);
        });
    assertThat(stored("plain", "doc")).isEqualTo("{\"a\": 1}");
    assertThat(stored("plain", "audio")).isEqualTo("10");
  }

  @Test
  void listenersAfterACommit_areCalledForContent() throws Exception {
    update(Counted.class, note -> note.doc.set("a", 2));
    assertThat(HEARD).containsExactly("committed doc");
  }

  @Test
  void listenersAfterARollback_areCalledForContent() throws Exception {
    try (var session = orm.factory().openSession()) {
      var transaction = session.beginTransaction();
      session.find(Plain.class, 1).doc.set("a", 2);
      session.flush();
      transaction.rollback();
    }
    assertThat(HEARD).containsExactly("failed doc");
    assertThat(stored("plain", "doc")).isEqualTo("{\"a\": 1}");
  }
}
