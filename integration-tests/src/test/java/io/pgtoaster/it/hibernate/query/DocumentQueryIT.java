package io.pgtoaster.it.hibernate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.math.BigDecimal;
import java.util.List;
import org.hibernate.query.SemanticException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Paths and functions return what the documents contain, including members out of line. */
@ParameterizedClass
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
@TestInstance(Lifecycle.PER_CLASS)
class DocumentQueryIT {
  private static final String ANN =
      """
      {"name": "Ann", "height": 181.50, "active": true, "nothing": null,
       "address": {"city": "Oslo", "it's \\"odd\\" \\\\": "yes", "0": "zero"},
       "roles": [{"title": "Queen"}, {"title": "Cook", "tags": ["a", "b"]}],
       "bio": "%s", "deep": {"er": {"est": "%s"}}}\
      """
          .formatted("b".repeat(9000), "d".repeat(9000));
  private static final String BOB = "{\"name\": \"Bob\", \"height\": 170, \"roles\": []}";

  @Parameter Setting setting;

  private Orm orm;

  @BeforeParameterizedClassInvocation
  void start() throws Exception {
    orm = Orm.on(setting).entities(Person.class).build();
    orm.inTransaction(
        s -> {
          Person ann = new Person(1);
          Person bob = new Person(2);
          bob.mate = ann;
          ann.nicknames.put("roles", "A");
          s.persist(ann);
          s.persist(bob);
        });
    for (String column : List.of("profile", "plain")) {
      DocumentColumn documents = PgToaster.create(orm.dataSource()).documents("person", column);
      documents.putJson(1, ANN);
      documents.putJson(2, BOB);
    }
    assertThat(orm.database().string("SELECT profile->'$pgtoaster' FROM person WHERE id = 1"))
        .isNotNull();
    orm.recorder().clear();
  }

  @AfterParameterizedClassInvocation
  void stop() throws Exception {
    orm.close();
  }

  private List<String> ask(String hql) throws Exception {
    return orm.fromTransaction(s -> s.createQuery(hql, String.class).getResultList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name",
        "height",
        "active",
        "nothing",
        "missing",
        "address",
        "address.city",
        "address[\"0\"]",
        "roles[0].title",
        "roles[-1].tags[1]",
        "roles",
        "bio",
        "deep.er.est",
        "deep.er"
      })
  void text_matchesTheDocument(String path) throws Exception {
    JsonNode expected = new JsonMapper().readTree(ANN);
    for (String attribute : List.of("profile", "plain")) {
      JsonNode read =
          PgToaster.create(orm.dataSource())
              .documents("person", attribute)
              .at(1, path)
              .get()
              .orElse(null);
      String text =
          ask("select keyed_text(p.%s, '%s') from Person p where p.id = 1"
                  .formatted(attribute, path))
              .get(0);
      JsonNode got =
          orm.fromTransaction(
              s ->
                  s.createQuery(
                          "select keyed_get(p.%s, '%s') from Person p where p.id = 1"
                              .formatted(attribute, path),
                          JsonNode.class)
                      .getSingleResultOrNull());
      assertThat(got).isEqualTo(read);
      if (read == null || read.isNull()) {
        assertThat(text).isNull();
      } else if (read.isValueNode()) {
        assertThat(text).isEqualTo(read.isString() ? read.asString() : read.toString());
      } else {
        assertThat(new JsonMapper().readTree(text)).isEqualTo(read);
      }
    }
    assertThat(expected.isObject()).isTrue();
  }

  @BeforeEach
  void forgetStatements() {
    orm.recorder().clear();
  }

  @Test
  void bracketPath_readsTheDocument() throws Exception {
    for (String attribute : List.of("profile", "plain")) {
      assertThat(
              ask("select p.%s['roles'][0].title from Person p order by p.id".formatted(attribute)))
          .containsExactly("Queen", null);
      assertThat(
              ask(
                  "select p.%s['address']['it''s \"odd\" \\'] from Person p where p.id = 1"
                      .formatted(attribute)))
          .containsExactly("yes");
    }
  }

  @Test
  void bracketPath_toAMovableMember_callsTheFunction() throws Exception {
    ask("select p.profile['roles'][0].title from Person p");
    assertThat(orm.sql())
        .containsExactly(
            "select pgtoaster.get_text(p1_0.profile,'{roles,0,title}') from Person p1_0");
  }

  @Test
  void bracketPath_toAPinnedMember_matchesAnIndexExpression() throws Exception {
    ask("select p.profile['name'] from Person p where p.profile['address']['city'] = 'Oslo'");
    ask("select p.plain['roles'][0].title from Person p");
    assertThat(orm.sql())
        .containsExactly(
            "select (p1_0.profile->>cast('name' as text)) from Person p1_0 where"
                + " (p1_0.profile->cast('address' as text)->>cast('city' as text))='Oslo'",
            "select (p1_0.plain#>>cast('{roles,0,title}' as text[])) from Person p1_0");
  }

  @Test
  void predicate_onAnInlineMember_usesItsIndex() throws Exception {
    orm.database().run("CREATE INDEX person_name ON person ((profile->>'name'))");
    orm.fromTransaction(
        s ->
            s.createQuery("from Person p where p.profile['name'] = :name", Person.class)
                .setParameter("name", "Ann")
                .getResultList());
    String sql = orm.sql().get(0).replace("?", "'Ann'");
    List<String> plan;
    try (var c = orm.database().connect()) {
      io.pgtoaster.it.kit.Sql.run(c, "SET enable_seqscan = off");
      plan = io.pgtoaster.it.kit.Sql.strings(c, "EXPLAIN " + sql);
    }
    assertThat(String.join("\n", plan))
        .contains("person_name")
        .contains("Index Cond: ((profile ->> 'name'::text) = 'Ann'::text)");
  }

  @Test
  void steps_mayBeParameters() throws Exception {
    for (String attribute : List.of("profile", "plain")) {
      String hql =
          "select p.%s[:key][:place].title from Person p where p.%s[:name] = 'Ann'"
              .formatted(attribute, attribute);
      String title =
          orm.fromTransaction(
              s ->
                  s.createQuery(hql, String.class)
                      .setParameter("key", "roles")
                      .setParameter("place", 1)
                      .setParameter("name", "name")
                      .getSingleResult());
      assertThat(title).isEqualTo("Cook");
    }
    assertThat(orm.sql().get(0))
        .startsWith(
            "select pgtoaster.get_text(p1_0.profile,array[cast(cast(? as varchar) as text),"
                + "cast(cast(? as integer) as text),");
  }

  @Test
  void cast_comparesNumbers() throws Exception {
    assertThat(
            ask(
                "select p.profile['name'] from Person p"
                    + " where cast(p.profile['height'] as double) > 180"))
        .containsExactly("Ann");
    assertThat(
            ask(
                "select p.profile['name'] from Person p"
                    + " where keyed_number(p.profile, 'height') > 180"))
        .containsExactly("Ann");
    BigDecimal height =
        orm.fromTransaction(
            s ->
                s.createQuery(
                        "select keyed_number(p.profile, 'height') from Person p where p.id = 1",
                        BigDecimal.class)
                    .getSingleResult());
    assertThat(height).isEqualTo(new BigDecimal("181.50"));
  }

  @Test
  void numberAgainstText_isRefused() {
    assertThatThrownBy(() -> ask("select 'x' from Person p where p.profile['height'] > 180"))
        .hasStackTraceContaining("SemanticException");
  }

  @Test
  void booleans_areReadFromTheDocument() throws Exception {
    assertThat(
            ask("select p.profile['name'] from Person p where keyed_boolean(p.profile, 'active')"))
        .containsExactly("Ann");
    assertThat(
            ask("select p.profile['name'] from Person p where keyed_exists(p.profile, 'nothing')"))
        .containsExactly("Ann");
    assertThat(
            ask("select p.profile['name'] from Person p where not keyed_exists(p.profile, 'bio')"))
        .containsExactly("Bob");
  }

  @Test
  void contains_findsMovedMembers() throws Exception {
    String hql = "select p.profile['name'] from Person p where keyed_contains(p.profile, '%s')";
    assertThat(ask(hql.formatted("{\"roles\": [{\"title\": \"Cook\"}]}"))).containsExactly("Ann");
    assertThat(orm.sql().get(0)).contains("pgtoaster.contains(p1_0.profile,cast(");
    assertThat(ask(hql.formatted("{\"name\": \"Bob\"}"))).containsExactly("Bob");
    assertThat(orm.sql().get(0)).contains("(p1_0.profile@>cast('{\"name\": \"Bob\"}' as jsonb))");
    List<Long> found =
        orm.fromTransaction(
            s ->
                s.createQuery(
                        "select p.id from Person p where keyed_contains(p.plain, :probe)",
                        Long.class)
                    .setParameter("probe", "{\"deep\": {}}")
                    .getResultList());
    assertThat(found).containsExactly(1L);
    assertThat(orm.sql().get(0)).contains("(p1_0.plain@>cast(? as jsonb))");
  }

  @Test
  void criteria_callTheSameFunctions() throws Exception {
    List<String> names =
        orm.fromTransaction(
            s -> {
              var builder = s.getCriteriaBuilder();
              var query = builder.createQuery(String.class);
              var person = query.from(Person.class);
              query
                  .select(
                      builder.function(
                          "keyed_text",
                          String.class,
                          person.get("profile"),
                          builder.literal("roles[0].title")))
                  .where(
                      builder.equal(
                          builder.function(
                              "keyed_at",
                              String.class,
                              person.get("profile"),
                              builder.literal("name")),
                          "Ann"),
                      builder.isTrue(
                          builder.function(
                              "keyed_exists",
                              Boolean.class,
                              person.get("profile"),
                              builder.literal("bio"))));
              return s.createQuery(query).getResultList();
            });
    assertThat(names).containsExactly("Queen");
    assertThat(orm.sql())
        .containsExactly(
            "select pgtoaster.get_text(p1_0.profile,'{roles,0,title}') from Person p1_0 where"
                + " (p1_0.profile->>cast('name' as text))=? and"
                + " (pgtoaster.get(p1_0.profile,'{bio}') is not null)");
  }

  @Test
  void namedQuery_isValidatedAndReturnsItsResult() throws Exception {
    String named =
        orm.fromTransaction(
            s ->
                s.createNamedQuery("Person.named", String.class)
                    .setParameter("name", "Ann")
                    .getSingleResult());
    assertThat(named).isEqualTo("Queen");
  }

  @Test
  void functionPath_thatIsNotALiteralPath_isRefused() {
    assertThatThrownBy(
            () ->
                orm.fromTransaction(
                    s ->
                        s.createQuery(
                                "select keyed_text(p.profile, :path) from Person p", String.class)
                            .setParameter("path", "name")
                            .getResultList()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasRootCauseInstanceOf(SemanticException.class)
        .hasStackTraceContaining("must be a literal");
    assertThatThrownBy(() -> ask("select keyed_text(p.profile, 'a[') from Person p"))
        .hasStackTraceContaining("the path of keyed_text()");
  }

  @Test
  void groupAndOrder_byAPath_work() throws Exception {
    assertThat(
            ask(
                "select p.profile['name'] from Person p group by p.profile['name']"
                    + " order by p.profile['name'] desc"))
        .containsExactly("Bob", "Ann");
  }
}
