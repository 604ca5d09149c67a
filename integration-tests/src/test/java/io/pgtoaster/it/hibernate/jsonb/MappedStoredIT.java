package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.hibernate.kit.Orm.Work;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.jsonb.DocumentColumn;
import jakarta.persistence.OptimisticLockException;
import java.util.List;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The stored document differs from the class's form of it, or comes from the second-level cache.
 */
class MappedStoredIT extends DocumentOrmSuite {
  private DocumentColumn column;

  @Override
  OrmBuilder configure(OrmBuilder builder) {
    return builder
        .queryCache()
        .schema(
            "CREATE TABLE shelf (id bigint PRIMARY KEY, name text, profile jsonb)", attach("shelf"))
        .entities(Person.class, Account.class, Shelf.class);
  }

  @BeforeEach
  void oneRow() throws Exception {
    orm().database().run("INSERT INTO shelf (id, name) VALUES (1, 'n')");
    column = PgToaster.create(orm().database().dataSource()).documents("shelf", "profile");
    store("{\"title\": \"a\"}");
  }

  @AfterEach
  void noRow() throws Exception {
    assertThat(column.verify(1L)).isEmpty();
    orm().database().run("DELETE FROM shelf");
  }

  private void store(String document) throws Exception {
    column.putJson(1L, document);
    orm().factory().getCache().evictAllRegions();
  }

  private void change(Work<Shelf> change) throws Exception {
    inTransaction(
        s -> {
          Shelf shelf = s.find(Shelf.class, 1L);
          sql();
          change.in(shelf);
        });
  }

  /** Loads the entity into the cache. */
  private void cache() throws Exception {
    change(shelf -> {});
    change(shelf -> assertThat(shelf.profile).isNotNull());
  }

  @Test
  void elementOfASet_isRemovedWhereverItIsStored() throws Exception {
    store("{\"labels\": [\"z\", \"a\"]}");
    change(shelf -> shelf.profile.labels.remove("a"));
    assertThat(column.at(1L, "labels").get()).contains(Json.readTree("[\"z\"]"));
  }

  @Test
  void setChangedByAnotherTransaction_conflicts() throws Exception {
    store("{\"labels\": [\"z\", \"a\"]}");
    try (Session session = orm().factory().openSession()) {
      session.beginTransaction();
      Shelf shelf = session.find(Shelf.class, 1L);
      column.at(1L, "labels").append("new");
      shelf.profile.labels.remove("a");
      assertThatThrownBy(session::flush).isInstanceOf(OptimisticLockException.class);
    }
  }

  @Test
  void unstoredMember_isChanged() throws Exception {
    change(shelf -> shelf.profile.settings.theme = "dark");
    assertThat(column.at(1L, "settings.theme").get(String.class)).contains("dark");
    assertThat(column.at(1L, "tags").exists()).isFalse();
    change(
        shelf -> {
          shelf.profile.tags.add("x");
          shelf.profile.settings.sizes.add(1);
        });
    change(
        shelf -> {
          shelf.profile.tags.add("y");
          shelf.profile.settings.sizes.add(2);
        });
    assertThat(column.at(1L, "tags").get()).contains(Json.readTree("[\"x\", \"y\"]"));
    assertThat(column.at(1L, "settings").get())
        .contains(Json.readTree("{\"theme\": \"dark\", \"sizes\": [1, 2]}"));
  }

  private void assertStaleCacheConflicts() throws Exception {
    try (Session session = orm().factory().openSession()) {
      session.beginTransaction();
      Shelf shelf = session.find(Shelf.class, 1L);
      assertThat(sql()).isEmpty();
      column.at(1L, "count").set(5);
      shelf.profile.title = "b";
      session.flush();
      shelf.profile.count = 6;
      assertThatThrownBy(session::flush)
          .isInstanceOf(OptimisticLockException.class)
          .hasMessageContaining("count");
    }
  }

  @Test
  void cachedEntity_conflicts() throws Exception {
    cache();
    assertStaleCacheConflicts();
  }

  @Test
  void cachedEntityWhoseNameWasUpdated_conflicts() throws Exception {
    cache();
    change(shelf -> shelf.name = "other");
    sql();
    assertStaleCacheConflicts();
  }

  @Test
  void mergedCachedEntity_conflicts() throws Exception {
    Shelf detached = fromTransaction(s -> s.find(Shelf.class, 1L));
    detached.name = "other";
    inTransaction(s -> s.merge(detached));
    sql();
    assertStaleCacheConflicts();
  }

  @Test
  void persistedEntity_conflicts() throws Exception {
    orm().database().run("DELETE FROM shelf");
    orm().factory().getCache().evictAllRegions();
    Shelf shelf = new Shelf();
    shelf.id = 1;
    shelf.profile = new Shelf.Contents();
    shelf.profile.labels.addAll(List.of("z", "a"));
    inTransaction(s -> s.persist(shelf));
    sql();
    assertStaleCacheConflicts();
  }

  @Test
  void cachedPositions_areNotUsedForAChangedArray() throws Exception {
    store("{\"tags\": [\"a\", \"b\"]}");
    cache();
    change(shelf -> shelf.name = "other");
    column.at(1L, "tags[0]").insert("first");
    assertThatThrownBy(() -> change(shelf -> shelf.profile.tags.remove("a")))
        .isInstanceOf(OptimisticLockException.class);
    assertThat(column.at(1L, "tags").size()).hasValue(3);
  }

  @Test
  void changeOfDocumentAndName_isSeenThroughTheCache() throws Exception {
    cache();
    for (int i = 1; i < 4; i++) {
      int count = i;
      change(
          shelf -> {
            shelf.name = "n" + count;
            shelf.profile.count = count;
          });
      change(
          shelf -> {
            assertThat(shelf.name).isEqualTo("n" + count);
            assertThat(shelf.profile.count).isEqualTo(count);
          });
    }
  }
}
