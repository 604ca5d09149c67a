package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Version;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.annotations.OptimisticLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A document that is excluded from the version of its entity. */
class VersionIT {
  @Entity(name = "Versioned")
  static class Versioned {
    @Id long id;
    @Version int version;

    @OptimisticLock(excluded = true)
    KeyedJson<Map<String, Object>> excluded;
  }

  @AutoClose private static Orm orm;
  private static long last;
  private long id;

  @BeforeAll
  static void start() {
    orm = Orm.on(Setting.newest().get(0)).entities(Versioned.class).build();
  }

  @BeforeEach
  void persist() throws Exception {
    id = ++last;
    orm.inTransaction(
        s -> {
          Versioned entity = new Versioned();
          entity.id = id;
          entity.excluded = KeyedJson.ofJson("{\"a\": 1, \"b\": 1}");
          s.persist(entity);
        });
  }

  private Versioned find(Session session) {
    return session.find(Versioned.class, id);
  }

  private int version() throws Exception {
    return orm.fromTransaction(s -> find(s).version);
  }

  @Test
  void changeOfAnExcludedDocument_incrementsNothing_andOnlyTheSamePathConflicts() throws Exception {
    orm.inTransaction(
        s -> {
          Versioned mine = find(s);
          orm.inTransaction(t -> find(t).excluded.set("a", 2));
          mine.excluded.set("b", 2);
        });
    orm.inTransaction(s -> assertThat(find(s).excluded.load()).isEqualTo(Map.of("a", 2, "b", 2)));
    assertThatThrownBy(
            () ->
                orm.inTransaction(
                    s -> {
                      Versioned mine = find(s);
                      orm.inTransaction(t -> find(t).excluded.set("a", 3));
                      mine.excluded.set("a", 4);
                      s.flush();
                    }))
        .isInstanceOf(OptimisticLockException.class);
    assertThat(version()).isZero();
  }
}
