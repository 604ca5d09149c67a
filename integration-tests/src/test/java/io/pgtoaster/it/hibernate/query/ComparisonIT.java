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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** In conditions, documents are compared as a whole, and blobs by their row. */
class ComparisonIT {
  private static final String LONG = "x".repeat(9000);
  @AutoClose private static Orm orm;

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
            s.persist(paper(id));
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

  private static Paper paper(long id) {
    Paper paper = new Paper();
    paper.id = id;
    paper.notes = KeyedJson.of(content(id));
    paper.plain = KeyedJson.of(content(id));
    paper.card = new Card("c" + id, List.of(LONG, "l" + id));
    paper.audio = AppendableBlob.of(new byte[(int) id]);
    return paper;
  }

  private static Map<String, Object> content(long id) {
    return Map.of("long", LONG, "n", List.of(id, 1.50), "short", "s");
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
  void documents_areComparedAsAWhole() throws Exception {
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

  private static <T> List<T> results(String query, Class<T> type) throws Exception {
    return orm.fromTransaction(s -> s.createQuery(query, type).getResultList());
  }

  @Test
  void documentsThatAQueryAlsoSelectsOrReads_areComparedAsAWhole() throws Exception {
    KeyedJson<?> second = KeyedJson.of(content(2));
    assertThat(
            ids(
                "p.notes is not null and p.notes = :n and p.notes is not null",
                q -> q.setParameter("n", second)))
        .containsExactly(2L);
    List<?> selected =
        orm.fromTransaction(
            s ->
                s
                    .createQuery(
                        "select p.notes, p.id from Paper p where p.notes = :n", Object[].class)
                    .setParameter("n", second)
                    .getResultList()
                    .stream()
                    .map(row -> row[1])
                    .toList());
    assertThat(selected).isEqualTo(List.of(2L));
    assertThat(results("select p.notes, cast(p.notes as String) from Paper p", Object[].class))
        .allSatisfy(row -> assertThat((String) row[1]).contains(LONG).doesNotContain("$pgtoaster"));
    int updated =
        orm.fromTransaction(
            s ->
                s.createMutationQuery(
                        "update Paper p set p.plain = case when p.notes = :n then :n else p.plain end"
                            + " where p.notes = :n")
                    .setParameter("n", second)
                    .executeUpdate());
    assertThat(updated).isEqualTo(1);
  }

  /** Runs work while rows 11 to 13 repeat the documents of rows 1 to 3. */
  private static void inTwins(Work work) throws Exception {
    orm.inTransaction(
        s -> {
          for (long id = 1; id <= 3; id++) {
            Paper paper = paper(id);
            paper.id = 10 + id;
            s.persist(paper);
          }
        });
    try {
      for (long id = 11; id <= 13; id++) {
        PgToaster.create(orm.dataSource()).documents("paper", "notes").compact(id);
        PgToaster.create(orm.dataSource()).documents("paper", "card").compact(id);
      }
      work.run();
    } finally {
      orm.inTransaction(
          s -> s.createMutationQuery("delete from Paper where id > 3").executeUpdate());
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  @Test
  void equalDocuments_areEqualWhereverAQueryComparesThem() throws Exception {
    inTwins(
        () -> {
          for (String p : List.of("p.notes", "p.card", "p.plain")) {
            assertThat(results("select count(distinct " + p + ") from Paper p", Long.class))
                .as(p)
                .containsExactly(3L);
            assertThat(results("select count(" + p + ") from Paper p", Long.class))
                .containsExactly(6L);
            assertThat(
                    results(
                        "select count(*) from Paper p group by " + p + " order by 1", Long.class))
                .as(p)
                .containsExactly(2L, 2L, 2L);
            assertThat(results("select distinct " + p + " from Paper p", Object.class))
                .as(p)
                .hasSize(3);
            assertThat(
                    results(
                        "select " + p + ", count(*) from Paper p group by " + p, Object[].class))
                .as(p)
                .hasSize(3);
            assertThat(
                    results(
                        "select "
                            + p
                            + " from Paper p where p.id <= 3 union select "
                            + p
                            + " from Paper p where p.id > 3",
                        Object.class))
                .as(p)
                .hasSize(3);
            assertThat(
                    results(
                        "select p.id from Paper p where p.id <= 3 and "
                            + p
                            + " in (select "
                            + p.replace("p.", "q.")
                            + " from Paper q where q.id > 11) order by 1",
                        Long.class))
                .as(p)
                .containsExactly(2L, 3L);
            assertThat(
                    results(
                        "select p.id from Paper p where "
                            + p
                            + " = all (select "
                            + p.replace("p.", "q.")
                            + " from Paper q where q.id = 2) order by 1",
                        Long.class))
                .as(p)
                .containsExactly(2L, 12L);
            assertThat(
                    results(
                        "select p.id, q.id from Paper p join Paper q on "
                            + p
                            + " = "
                            + p.replace("p.", "q.")
                            + " and p.id < q.id",
                        Object[].class))
                .as(p)
                .hasSize(3);
            assertThat(
                    results("select p.id from Paper p order by " + p + " desc, p.id", Long.class))
                .as(p)
                .containsExactly(3L, 13L, 2L, 12L, 1L, 11L);
            assertThat(
                    results(
                        "select p.id, " + p + " as d from Paper p order by d, p.id",
                        Object[].class))
                .extracting(row -> row[0])
                .as(p)
                .containsExactly(1L, 11L, 2L, 12L, 3L, 13L);
            assertThat(
                    results(
                        "select nullif("
                            + p
                            + ", "
                            + p
                            + ") from Paper p where "
                            + "case when "
                            + p
                            + " is null then 0 else 1 end = 1",
                        Object.class))
                .as(p)
                .containsOnlyNulls()
                .hasSize(6);
          }
          assertThat(results("select cast(p.notes as String) from Paper p", String.class))
              .allSatisfy(text -> assertThat(text).contains(LONG));
          assertThat(results("select p.notes from Paper p", KeyedJson.class)).hasSize(6);
          assertThat(
                  results(
                      "select p.id from Paper p where keyed_contains(p.notes, p.plain)",
                      Long.class))
              .hasSize(6);
          assertThat(
                  results(
                      "select p.id from Paper p"
                          + " where keyed_set(p.notes, 'short', 's') = p.plain",
                      Long.class))
              .hasSize(6);
        });
  }

  @Test
  @SuppressWarnings("unchecked")
  void selectedDocument_loadsOnlyItsRow_unlessTheQueryComparesIt() throws Exception {
    orm.inTransaction(
        s -> {
          for (String query :
              List.of(
                  "select p.notes from Paper p where p.id = 1",
                  "select p.notes from Paper p where p.id = 1 order by p.id",
                  "select new list(p.id, p.notes) from Paper p where p.id = 1")) {
            orm.statements();
            s.createQuery(query, Object.class).getSingleResult();
            assertThat(orm.sql()).as(query).noneMatch(sql -> sql.contains("expand"));
          }
          KeyedJson<Map<String, Object>> grouped =
              s.createQuery(
                      "select p.notes from Paper p where p.id = 1 group by p.notes",
                      KeyedJson.class)
                  .getSingleResult();
          assertThat(grouped.isLoaded("long")).isTrue();
          assertThat(grouped.load()).containsEntry("long", LONG);
        });
  }

  @Test
  void criteria_sortAndCountWholeDocuments() throws Exception {
    inTwins(
        () ->
            orm.inTransaction(
                s -> {
                  var builder = s.getCriteriaBuilder();
                  var count = builder.createQuery(Long.class);
                  count.select(builder.countDistinct(count.from(Paper.class).get("notes")));
                  assertThat(s.createQuery(count).getSingleResult()).isEqualTo(3);
                  var sorted = builder.createQuery(Paper.class);
                  var paper = sorted.from(Paper.class);
                  sorted
                      .select(paper)
                      .orderBy(builder.desc(paper.get("notes")), builder.asc(paper.get("id")));
                  assertThat(s.createQuery(sorted).getResultList())
                      .extracting(p -> p.id)
                      .containsExactly(3L, 13L, 2L, 12L, 1L, 11L);
                }));
  }

  @Test
  void criteria_compareWholeDocuments() throws Exception {
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
  void unloadedDocument_isRefusedAsParameter() throws Exception {
    orm.inTransaction(
        s -> {
          KeyedJson<?> stub = s.find(Paper.class, 1L).notes;
          assertThatThrownBy(
                  () ->
                      s.createQuery("from Paper p where p.notes = :n", Paper.class)
                          .setParameter("n", stub)
                          .getResultList())
              .hasStackTraceContaining("pass the result of its load() as the parameter");
          assertThat(
                  s.createQuery("from Paper p where p.notes = :n", Paper.class)
                      .setParameter("n", KeyedJson.of(stub.load()))
                      .getResultList())
              .hasSize(1);
        });
  }

  @Test
  void blobParameter_findsItsRow_notEqualContent() throws Exception {
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
