package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OptimisticLockException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.OptimisticLockType;
import org.hibernate.annotations.OptimisticLocking;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content in entities that compare columns instead of a version. */
class OptimisticLockingIT {
  @AutoClose private static Orm orm;

  @MappedSuperclass
  static class Page {
    @Id long id = 1;
    String title = "t";
    KeyedJson<Map<String, Object>> notes = KeyedJson.of(Map.of("a", 1, "long", "x".repeat(9000)));
    @KeyedColumn List<String> lines = new ArrayList<>(List.of("y".repeat(9000)));
    AppendableBlob audio = AppendableBlob.of(new byte[10]);
  }

  @Entity(name = "All")
  @OptimisticLocking(type = OptimisticLockType.ALL)
  @DynamicUpdate
  static class All extends Page {}

  @Entity(name = "Dirty")
  @OptimisticLocking(type = OptimisticLockType.DIRTY)
  @DynamicUpdate
  static class Dirty extends Page {}

  @BeforeAll
  static void start() {
    orm =
        Orm.on(Setting.newest().get(0))
            .set("hibernate.globally_quoted_identifiers", true)
            .entities(All.class, Dirty.class)
            .build();
  }

  @ParameterizedTest
  @ValueSource(classes = {All.class, Dirty.class})
  void content_isUpdatedAndDeleted_withoutFalseConflicts(Class<? extends Page> type)
      throws Exception {
    orm.inTransaction(s -> s.persist(type.getDeclaredConstructor().newInstance()));
    orm.inTransaction(
        s -> {
          Page page = s.find(type, 1);
          page.title = "u";
          page.notes.set("a", 2);
          page.lines.add("z");
          page.audio.append(new byte[5]);
          s.flush();
          page.title = "v";
          page.lines.add("z");
          page.notes.set("a", 3);
        });
    assertThatThrownBy(
            () ->
                orm.inTransaction(
                    s -> {
                      Page page = s.find(type, 1);
                      orm.inTransaction(t -> t.find(type, 1).title = "other");
                      page.title = "mine";
                      s.flush();
                    }))
        .isInstanceOf(OptimisticLockException.class);
    assertThatThrownBy(
            () ->
                orm.inTransaction(
                    s -> {
                      Page page = s.find(type, 1);
                      page.notes.get("a");
                      orm.inTransaction(t -> t.find(type, 1).notes.set("a", 4));
                      page.notes.set("a", 5);
                      s.flush();
                    }))
        .isInstanceOf(OptimisticLockException.class);
    orm.inTransaction(
        s -> {
          Page page = s.find(type, 1);
          page.lines.add("last");
          s.remove(page);
        });
    orm.inTransaction(s -> assertThat(s.find(type, 1)).isNull());
  }
}
