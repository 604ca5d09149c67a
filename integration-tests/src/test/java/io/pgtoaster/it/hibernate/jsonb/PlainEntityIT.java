package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.Recorder.Statement;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.util.List;
import org.hibernate.Session;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With {@code pgtoaster.transparent}, an entity without the module's types reads and writes an
 * attached column like the ordinary column of its twin.
 */
@NeedsExtension
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edgesTransparent")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainEntityIT {
  @MappedSuperclass
  abstract static class WithProfile {
    @Id long id;

    @JdbcTypeCode(SqlTypes.JSON)
    Profile profile;
  }

  /** Maps the attached column. */
  @Entity(name = "Member")
  static class Member extends WithProfile {}

  /** Maps the ordinary column. */
  @Entity(name = "Twin")
  static class Twin extends WithProfile {}

  @Parameter Setting setting;

  private Orm orm;
  private DocumentColumn column;

  @BeforeEach
  void fill() throws Exception {
    if (orm == null) {
      orm =
          Orm.on(setting)
              .entities(Member.class, Twin.class)
              .set("hibernate.query.hql.json_functions_enabled", true)
              .schema(
                  "CREATE TABLE member (id bigint PRIMARY KEY, profile jsonb)",
                  "CREATE TABLE twin (id bigint PRIMARY KEY, profile jsonb)",
                  "SELECT pgtoaster.attach('member', 'profile', 'keyed',"
                      + " '{\"row_budget\": 256, \"leaf_size\": 512}')")
              .build();
      column = PgToaster.create(orm.dataSource()).documents("member", "profile");
    }
    persist(1);
    persist(2);
    for (long id = 1; id <= 2; id++) {
      long unused = column.compact(id);
      assertThat(column.stat(id).orElseThrow().split()).isTrue();
    }
    // This row must be the last in both tables, because when JSON_VALUE .. RETURNING jsonb finds
    // nothing for a row, PostgreSQL 18.6 returns NULL for all later rows of the scan.
    persist(3);
    orm.statements();
  }

  private void persist(long id) throws Exception {
    orm.inTransaction(
        s -> {
          Member member = new Member();
          Twin twin = new Twin();
          member.id = id;
          twin.id = id;
          member.profile = profile(id);
          twin.profile = profile(id);
          s.persist(member);
          s.persist(twin);
        });
  }

  private static Profile profile(long id) {
    return id == 3 ? Profile.small("s") : Profile.big("p" + id);
  }

  @AfterEach
  void clean() throws Exception {
    for (long id = 1; id <= 3; id++) {
      assertThat(column.verify(id)).isEmpty();
    }
    orm.database().run("DELETE FROM member", "DELETE FROM twin");
    assertThat(orm.database().number("SELECT count(*) FROM pgtoaster.store_1_node")).isZero();
  }

  @AfterParameterizedClassInvocation
  void close() throws Exception {
    if (orm != null) {
      orm.close();
      orm = null;
    }
  }

  private List<String> writes() {
    return orm.statements().stream()
        .map(Statement::sql)
        .filter(sql -> sql.startsWith("update"))
        .toList();
  }

  /** Asserts that both tables have the same documents. */
  private void assertTwins() {
    String rows = "SELECT string_agg(id || ': ' || profile, ', ' ORDER BY id) FROM ";
    assertThat(orm.database().string(rows + "member"))
        .isEqualTo(orm.database().string(rows + "twin"));
  }

  @Test
  void entity_hasTheWholeDocument_andIsNotWrittenIfUnchanged() throws Exception {
    orm.inTransaction(
        s -> {
          for (long id = 1; id <= 3; id++) {
            assertThat(s.find(Member.class, id).profile).isEqualTo(profile(id));
          }
          assertThat(
                  s.createSelectionQuery("from Member m order by m.id", Member.class)
                      .getResultList())
              .extracting(m -> m.profile)
              .containsExactly(profile(1), profile(2), profile(3));
        });
    assertThat(writes()).isEmpty();
    assertThat(column.stat(1L).orElseThrow().split()).isTrue();
  }

  @Test
  void changedEntity_writesTheWholeDocument() throws Exception {
    for (Class<? extends WithProfile> type : List.of(Member.class, Twin.class)) {
      orm.inTransaction(
          s -> {
            WithProfile found = s.find(type, 1L);
            Profile was = found.profile;
            found.profile =
                new Profile("changed", was.height(), was.balance(), was.roles(), was.bio() + "!");
          });
    }
    assertThat(writes()).hasSize(2);
    assertTwins();
    orm.inTransaction(
        s -> assertThat(s.find(Member.class, 1L).profile.bio()).isEqualTo("p1".repeat(2000) + "!"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select e.profile from %s e order by e.id",
        "select e.id from %s e where e.profile is not null order by e.id",
        "select json_value(e.profile, '$.roles[7].title') from %s e order by e.id",
        "select json_value(e.profile, '$.roles[7].year' returning Integer) from %s e order by e.id",
        "select json_query(e.profile, '$.roles[399]') from %s e order by e.id",
        "select json_query(e.profile, '$.roles[*].year' with wrapper) from %s e order by e.id",
        "select json_exists(e.profile, '$.roles[399]') from %s e order by e.id",
        "select e.id from %s e where json_exists(e.profile, '$.roles[399]') order by e.id",
        "select e.id from %s e where json_value(e.profile, '$.roles[7].title') = 'role 7 of p2'",
        "select e.id from %s e order by json_value(e.profile, '$.bio') desc, e.id",
        "select json_value(e.profile, '$.bio'), count(*) from %s e group by json_value(e.profile,"
            + " '$.bio') order by 1",
        "select json_array(e.id, e.profile) from %s e order by e.id",
        "select json_objectagg(e.id : e.profile) from %s e",
        "select json_arrayagg(e.profile order by e.id) from %s e",
        "select json_set(e.profile, '$.roles[7].title', 'x') from %s e order by e.id",
        "select json_remove(e.profile, '$.bio') from %s e order by e.id",
        "select e.id from %s e where exists (select 1 from %1$s f where f.profile = e.profile and"
            + " f.id = e.id) order by e.id",
        "select distinct e.profile from %s e where e.id < 2",
      })
  void queries_returnTheSameAsOnAPlainColumn(String hql) throws Exception {
    orm.inTransaction(
        s -> {
          List<String> expected = answers(s, hql.formatted("Twin"));
          assertThat(expected).isNotEmpty();
          assertThat(answers(s, hql.formatted("Member"))).isEqualTo(expected);
        });
  }

  private static List<String> answers(Session session, String hql) {
    return session.createSelectionQuery(hql, Object.class).getResultList().stream()
        .map(
            row ->
                row instanceof Object[] values ? List.of(values).toString() : String.valueOf(row))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "json_set(e.profile, '$.roles[7].title', 'changed')",
        "json_set(e.profile, '$.added', 1)",
        "json_replace(e.profile, '$.bio', 'short now')",
        "json_replace(e.profile, '$.nothing', 'x')",
        "json_insert(e.profile, '$.more', 'new')",
        "json_insert(e.profile, '$.bio', 'is there')",
        "json_remove(e.profile, '$.roles[3]')",
        "json_remove(e.profile, '$.nothing')",
        "json_array_append(e.profile, '$.roles', 5)",
        "json_array_insert(e.profile, '$.roles[0]', 5)",
        "json_mergepatch(e.profile, '{\"bio\": null, \"nick\": \"n\"}')",
        "json_set(json_remove(e.profile, '$.bio'), '$.roles[0].year', 1)",
        "(select f.profile from %s f where f.id = 2)",
        "e.profile",
        "null",
      })
  void updates_haveTheSameResultAsOnAPlainColumn(String value) throws Exception {
    for (String entity : List.of("Twin", "Member")) {
      orm.inTransaction(
          s ->
              assertThat(
                      s.createMutationQuery(
                              "update %s e set e.profile = %s where e.id <> 2"
                                  .formatted(entity, value.formatted(entity)))
                          .executeUpdate())
                  .isEqualTo(2));
    }
    assertTwins();
  }

  @Test
  void insertedFromAQuery_isACopy() throws Exception {
    for (String entity : List.of("Twin", "Member")) {
      orm.inTransaction(
          s ->
              assertThat(
                      s.createMutationQuery(
                              "insert into %1$s (id, profile) select e.id + 10, e.profile from %1$s e where e.id = 1"
                                  .formatted(entity))
                          .executeUpdate())
                  .isEqualTo(1));
    }
    assertTwins();
    assertThat(column.verify(11L)).isEmpty();
  }
}
