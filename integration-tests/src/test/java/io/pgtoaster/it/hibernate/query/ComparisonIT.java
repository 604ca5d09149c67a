package io.pgtoaster.it.hibernate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hibernate.query.Query;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A document in a condition is the whole document; a blob is that of its row. */
class ComparisonIT {
  private static final String LONG = "x".repeat(9000);
  private static Orm orm;

  record Card(String name, List<String> lines) {}

  @Entity(name = "Paper")
  static class Paper {
    @Id long id;

    KeyedJson<Map<String, Object>> notes;

    @KeyedColumn Card card;

    @KeyedColumn(toaster = "default")
    KeyedJson<Map<String, Object>> plain;

    AppendableBlob audio;
  }

  @BeforeAll
  static void start() throws Exception {
    orm = Orm.on(Setting.newest().get(0)).entities(Paper.class).build();
    orm.inTransaction(
        s -> {
          for (long id = 1; id <= 3; id++) {
            Paper paper = new Paper();
            paper.id = id;
            paper.notes = KeyedJson.of(content(id));
            paper.plain = KeyedJson.of(content(id));
            paper.card = new Card("c" + id, List.of(LONG, "l" + id));
            paper.audio = AppendableBlob.of(new byte[(int) id]);
            s.persist(paper);
          }
        });
    for (long id = 1; id <= 3; id++) {
      PgToaster.create(orm.dataSource()).documents("paper", "notes").compact(id);
      PgToaster.create(orm.dataSource()).documents("paper", "card").compact(id);
    }
    assertThat(orm.database().string("SELECT notes->'$pgtoaster' FROM paper WHERE id = 1"))
        .isNotNull();
    assertThat(orm.database().string("SELECT card->'$pgtoaster' FROM paper WHERE id = 1"))
        .isNotNull();
  }

  private static Map<String, Object> content(long id) {
    return Map.of("long", LONG, "n", List.of(id, 1.50), "short", "s");
  }

  @AfterAll
  static void stop() throws Exception {
    orm.close();
  }

  private static List<Long> ids(String condition, Consumer<Query<Long>> bind) throws Exception {
    return orm.fromTransaction(
        s -> {
          Query<Long> query =
              s.createQuery(
                  "select p.id from Paper p where " + condition + " order by 1", Long.class);
          bind.accept(query);
          return query.getResultList();
        });
  }

  @Test
  void documents_areComparedAsWholes() throws Exception {
    KeyedJson<?> second = KeyedJson.of(content(2));
    for (String attribute : List.of("notes", "plain")) {
      String p = "p." + attribute;
      assertThat(ids(p + " = :n", q -> q.setParameter("n", second))).containsExactly(2L);
      assertThat(ids(":n <> " + p, q -> q.setParameter("n", second))).containsExactly(1L, 3L);
      assertThat(ids(p + " is not distinct from :n", q -> q.setParameter("n", second)))
          .containsExactly(2L);
      assertThat(
              ids(
                  p + " in (:n, :m)",
                  q -> q.setParameter("n", second).setParameter("m", KeyedJson.of(content(3)))))
          .containsExactly(2L, 3L);
      assertThat(ids(p + " in :n", q -> q.setParameterList("n", List.of(second))))
          .containsExactly(2L);
      assertThat(ids(p + " is null", q -> {})).isEmpty();
    }
    assertThat(ids("p.notes = p.plain", q -> {})).containsExactly(1L, 2L, 3L);
    assertThat(ids("p.card = :c", q -> q.setParameter("c", new Card("c3", List.of(LONG, "l3")))))
        .containsExactly(3L);
  }

  @Test
  void criteria_compareWholesToo() throws Exception {
    List<Long> found =
        orm.fromTransaction(
            s -> {
              var builder = s.getCriteriaBuilder();
              var query = builder.createQuery(Long.class);
              var paper = query.from(Paper.class);
              query
                  .select(paper.get("id"))
                  .where(builder.equal(paper.get("notes"), KeyedJson.of(content(1))));
              return s.createQuery(query).getResultList();
            });
    assertThat(found).containsExactly(1L);
  }

  @Test
  void documentThatIsNotLoaded_isRefusedAsParameter() throws Exception {
    orm.inTransaction(
        s -> {
          KeyedJson<?> stub = s.find(Paper.class, 1L).notes;
          assertThatThrownBy(
                  () ->
                      s.createQuery("from Paper p where p.notes = :n", Paper.class)
                          .setParameter("n", stub)
                          .getResultList())
              .hasStackTraceContaining("give load() of it as the parameter");
          assertThat(
                  s.createQuery("from Paper p where p.notes = :n", Paper.class)
                      .setParameter("n", KeyedJson.of(stub.load()))
                      .getResultList())
              .hasSize(1);
        });
  }

  @Test
  void blob_findsItsRowAndNotEqualContent() throws Exception {
    orm.inTransaction(
        s -> {
          Paper second = s.find(Paper.class, 2L);
          assertThat(
                  s.createQuery("select p.id from Paper p where p.audio = :b", Long.class)
                      .setParameter("b", second.audio)
                      .getResultList())
              .containsExactly(2L);
        });
    assertThatThrownBy(
            () -> ids("p.audio = :b", q -> q.setParameter("b", AppendableBlob.of(new byte[2]))))
        .hasStackTraceContaining("not in the database yet has no handle to compare with");
    assertThat(ids("p.audio is not null and length(p.audio) = 2", q -> {})).containsExactly(2L);
  }
}
