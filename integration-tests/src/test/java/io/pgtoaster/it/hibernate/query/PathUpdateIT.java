package io.pgtoaster.it.hibernate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.hibernate.query.DocumentExpressions;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.criteria.Path;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.hibernate.query.MutationQuery;
import org.hibernate.query.SemanticException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HQL assignments to paths edit split, plain and ordinary documents on the server. */
@ParameterizedClass
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
@TestInstance(Lifecycle.PER_CLASS)
class PathUpdateIT {
  private static final String ANN =
      """
      {"name": "Ann", "height": 181.50, "address": {"city": "Oslo"},
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
          for (long id = 1; id <= 3; id++) {
            s.persist(new Person(id));
          }
        });
  }

  @AfterParameterizedClassInvocation
  void stop() throws Exception {
    orm.close();
  }

  @BeforeEach
  void fill() throws Exception {
    for (String column : List.of("profile", "plain")) {
      DocumentColumn documents = documents(column);
      documents.putJson(1, ANN);
      documents.putJson(2, BOB);
    }
    assertThat(orm.database().string("SELECT profile->'$pgtoaster' FROM person WHERE id = 1"))
        .isNotNull();
    orm.recorder().clear();
  }

  private DocumentColumn documents(String column) {
    return PgToaster.create(orm.dataSource()).documents("person", column);
  }

  private String at(String column, long id, String path) {
    return documents(column).at(id, path).get().map(JsonNode::toString).orElse("nothing");
  }

  /** Runs a statement once for each kind of document, which replaces {@code DOC}. */
  private int update(String hql, Consumer<MutationQuery> bind) throws Exception {
    int count = -1;
    for (String column : List.of("profile", "plain")) {
      count =
          orm.fromTransaction(
              s -> {
                MutationQuery query = s.createMutationQuery(hql.replace("DOC", column));
                bind.accept(query);
                return query.executeUpdate();
              });
    }
    return count;
  }

  private int update(String hql) throws Exception {
    return update(hql, query -> {});
  }

  private void expect(long id, String path, String json) {
    for (String column : List.of("profile", "plain")) {
      assertThat(at(column, id, path)).as(column).isEqualTo(json);
    }
  }

  @Test
  void assignment_changesThePathInEachMatchingRow() throws Exception {
    int count =
        update(
            "update Person p set p.DOC['deep']['er'].est = :v where p.DOC['name'] = 'Ann'",
            q -> q.setParameter("v", "new"));
    assertThat(count).isEqualTo(1);
    expect(1, "deep.er", "{\"est\":\"new\"}");
    expect(2, "deep", "nothing");
    List<String> statements = orm.sql();
    assertThat(statements.get(0))
        .startsWith("update Person p1_0 set profile=pgtoaster.set(p1_0.profile,'{deep,er,est}',");
    assertThat(statements.get(1)).contains("plain=pg_catalog.jsonb_set(p1_0.plain,");
  }

  @Test
  void severalAssignments_areOneEditPerDocument() throws Exception {
    update(
        "update Person p set p.DOC['roles'][0].title = 'King', p.mate = null,"
            + " p.DOC['roles'][:at]['tags'][0] = :tag, p.DOC['age'] = 7 where p.id = :id",
        q -> q.setParameter("at", 1).setParameter("tag", "z").setParameter("id", 1));
    expect(1, "roles", "[{\"title\":\"King\"},{\"tags\":[\"z\",\"b\"],\"title\":\"Cook\"}]");
    expect(1, "age", "7");
    expect(1, "name", "\"Ann\"");
    assertThat(orm.sql().get(0)).contains("set profile=pgtoaster.set(").contains("mate_id=null");
  }

  record Point(int x, LocalDate day) {}

  @Test
  void values_areMappedAsJson() throws Exception {
    Map<Object, String> values =
        Map.of(
            "it's \"odd\" \\",
            "\"it's \\\"odd\\\" \\\\\"",
            7,
            "7",
            new BigDecimal("1.50"),
            "1.50",
            true,
            "true",
            List.of(1, "b"),
            "[1,\"b\"]",
            Set.of("x"),
            "[\"x\"]",
            Map.of("k", List.of()),
            "{\"k\":[]}",
            new Point(1, LocalDate.of(2026, 1, 2)),
            "{\"x\":1,\"day\":\"2026-01-02\"}",
            LocalDate.of(2026, 1, 2),
            "\"2026-01-02\"",
            new JsonMapper().readTree("{\"n\": 1.5}"),
            "{\"n\":1.5}");
    for (var value : values.entrySet()) {
      update(
          "update Person p set p.DOC['deep']['v'] = :v where p.id = 1",
          q -> q.setParameter("v", value.getKey()));
      assertThat(new JsonMapper().readTree(at("profile", 1, "deep.v")))
          .as("%s", value.getKey())
          .isEqualTo(new JsonMapper().readTree(at("plain", 1, "deep.v")))
          .isEqualTo(new JsonMapper().readTree(value.getValue()));
    }
  }

  @Test
  void null_isAJsonNullAndNeverTheWholeDocument() throws Exception {
    update("update Person p set p.DOC['a'] = null where p.id = 1");
    update("update Person p set p.DOC['b'] = :v where p.id = 1", q -> q.setParameter("v", null));
    update("update Person p set p.DOC['c'] = p.DOC['missing'], p.DOC['d'] = p.mate.id");
    for (String member : List.of("a", "b", "c", "d")) {
      expect(1, member, "null");
    }
    expect(1, "name", "\"Ann\"");
    expect(3, "c", "nothing");
  }

  @Test
  void expressions_areValuesAndPathsAreCopiedAsJson() throws Exception {
    update(
        "update Person p set p.DOC['copy'] = p.DOC['roles'][1], p.DOC['id'] = p.id + 1,"
            + " p.DOC['text'] = keyed_text(p.DOC, 'height'), p.DOC['upper'] = upper(p.DOC['name']),"
            + " p.DOC['tall'] = (p.id > 5), p.DOC['whole'] = p.plain where p.id = 1");
    expect(1, "copy", "{\"tags\":[\"a\",\"b\"],\"title\":\"Cook\"}");
    expect(1, "id", "2");
    expect(1, "text", "\"181.50\"");
    expect(1, "upper", "\"ANN\"");
    expect(1, "tall", "false");
    expect(1, "whole.deep.er.est", "\"" + "d".repeat(9000) + "\"");
    update("update Person p set p.DOC['whole'] = p.profile where p.id = 2");
    expect(2, "whole.name", "\"Bob\"");
    update(
        "update Person p set p.DOC['size'] ="
            + " (select count(*) from Person q where q.DOC['name'] is not null) where p.id = 2");
    expect(2, "size", "2");
  }

  @Test
  void functions_editAtLiteralPaths() throws Exception {
    update(
        "update Person p set p.DOC = keyed_remove(keyed_append(keyed_increment(keyed_set("
            + "p.DOC, 'deep.er.est', :v), 'height', :by), 'roles', :role), 'bio') where p.id = 1",
        q ->
            q.setParameter("v", List.of(1))
                .setParameter("by", 2)
                .setParameter("role", Map.of("title", "Fool")));
    expect(1, "deep.er.est", "[1]");
    expect(1, "height", "183.50");
    expect(1, "roles[2].title", "\"Fool\"");
    expect(1, "bio", "nothing");
    update("update Person p set p.DOC = keyed_insert(p.DOC, 'roles[0]', 'first') where p.id = 1");
    expect(1, "roles[0]", "\"first\"");
    update("update Person p set p.DOC = keyed_increment(p.DOC, 'n') where p.id = 1");
    expect(1, "n", "1");
    update(
        "update Person p set p.DOC = keyed_increment(p.DOC, 'n', :by) where p.id = 1",
        q -> q.setParameter("by", null));
    expect(1, "n", "1");
  }

  @Test
  void rowWithoutTheDocumentOrPath_isCounted_andNotChanged() throws Exception {
    assertThat(update("update Person p set p.DOC['no']['where'] = 1")).isEqualTo(3);
    expect(1, "no", "nothing");
    assertThat(orm.database().string("SELECT profile FROM person WHERE id = 3")).isNull();
  }

  @Test
  void onConflictUpdate_mayAssignToPaths() throws Exception {
    update(
        "insert into Person (id) values (1L) on conflict (id) do update"
            + " set DOC['deep']['er'] = 'met', DOC['name'] = 'Eve' where id = 1");
    expect(1, "deep", "{\"er\":\"met\"}");
    expect(1, "name", "\"Eve\"");
  }

  @Test
  void sessionChanges_areFlushedBefore_andLoadedEntitiesAreKept() throws Exception {
    orm.inTransaction(
        s -> {
          Person ann = s.find(Person.class, 1);
          assertThat(ann.profile.get("name", String.class)).contains("Ann");
          ann.profile.set("deep.er.est", "flushed");
          s.createMutationQuery(
                  "update Person p set p.profile['was'] = p.profile['deep']['er']['est'],"
                      + " p.profile['name'] = 'Eve' where p.id = 1")
              .executeUpdate();
          assertThat(ann.profile.get("name", String.class)).contains("Ann");
        });
    assertThat(at("profile", 1, "was")).isEqualTo("\"flushed\"");
    assertThat(at("profile", 1, "name")).isEqualTo("\"Eve\"");
    // The session's copy is outdated.
    assertThatThrownBy(
            () ->
                orm.inTransaction(
                    s -> {
                      Person ann = s.find(Person.class, 1);
                      ann.profile.get("name", String.class);
                      s.createMutationQuery("update Person p set p.profile['name'] = 'Zoe'")
                          .executeUpdate();
                      ann.profile.set("name", "Ada");
                    }))
        .isInstanceOf(OptimisticLockException.class);
  }

  @Test
  void triggersOfTheTable_seeTheUpdate() throws Exception {
    orm.database()
        .run(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF pgtoaster.get_text(NEW.profile, '{deep,er,est}') = 'bad'"
                + " THEN RAISE 'refused by a trigger'; END IF; RETURN NEW; END $$",
            "CREATE TRIGGER a_refuse BEFORE UPDATE ON person"
                + " FOR EACH ROW EXECUTE FUNCTION refuse()");
    try {
      assertThatThrownBy(
              () -> update("update Person p set p.DOC['deep']['er']['est'] = 'bad' where p.id = 1"))
          .hasStackTraceContaining("refused by a trigger");
      assertThat(at("profile", 1, "deep.er.est")).hasSize(9002);
    } finally {
      orm.database().run("DROP TRIGGER a_refuse ON person", "DROP FUNCTION refuse()");
    }
  }

  @Entity(name = "Work")
  @Inheritance(strategy = InheritanceType.JOINED)
  static class Work {
    @Id long id;
    String title;
    KeyedJson<Object> notes;
  }

  @Entity(name = "Album")
  static class Album extends Work {
    KeyedJson<Object> tracks;
  }

  @Test
  void documentsOfJoinedTables_areEditedInOneStatement() throws Exception {
    try (Orm works = Orm.on(setting).entities(Work.class, Album.class).build()) {
      works.inTransaction(
          s -> {
            Album album = new Album();
            album.id = 1;
            album.notes = KeyedJson.of(Map.of("long", "n".repeat(9000)));
            album.tracks = KeyedJson.of(List.of(Map.of("long", "t".repeat(9000))));
            s.persist(album);
          });
      var columns = PgToaster.create(works.dataSource());
      columns.documents("work", "notes").compact(1);
      columns.documents("album", "tracks").compact(1);
      int count =
          works.fromTransaction(
              s ->
                  s.createMutationQuery(
                          "update Album a set a.title = 'T', a.notes['long'] = :v,"
                              + " a.tracks[0]['long'] = 't' where a.notes['long'] is not null"
                              + " and type(a) = Album")
                      .setParameter("v", List.of(1))
                      .executeUpdate());
      assertThat(count).isEqualTo(1);
      assertThat(columns.documents("work", "notes").text(1)).contains("{\"long\": [1]}");
      assertThat(columns.documents("album", "tracks").text(1)).contains("[{\"long\": \"t\"}]");
    }
  }

  @Test
  void criteria_acceptTheFunctions() throws Exception {
    orm.inTransaction(
        s -> {
          var builder = s.getCriteriaBuilder();
          var update = builder.createCriteriaUpdate(Person.class);
          var person = update.from(Person.class);
          Path<KeyedJson<Object>> profile = person.get("profile");
          update
              .set(
                  profile,
                  DocumentExpressions.remove(
                      DocumentExpressions.set(
                          DocumentExpressions.set(profile, "deep.er", Map.of("a", List.of(1))),
                          "copy",
                          DocumentExpressions.get(profile, "address.city", String.class)),
                      "bio"))
              .set(
                  person.<KeyedJson<Object>>get("plain"),
                  DocumentExpressions.set(person.<KeyedJson<Object>>get("plain"), "name", null))
              .where(builder.equal(person.get("id"), 1L));
          assertThat(s.createMutationQuery(update).executeUpdate()).isEqualTo(1);
        });
    assertThat(at("profile", 1, "deep")).isEqualTo("{\"er\":{\"a\":[1]}}");
    assertThat(at("profile", 1, "copy")).isEqualTo("\"Oslo\"");
    assertThat(at("profile", 1, "bio")).isEqualTo("nothing");
    assertThat(at("plain", 1, "name")).isEqualTo("null");
  }

  @Test
  void attributeThatIsNotADocument_isRefusedWhenTheQueryIsCreated() {
    assertThatThrownBy(() -> update("update Person p set p.nicknames['a'] = 'x'"))
        .hasRootCauseInstanceOf(SemanticException.class)
        .hasStackTraceContaining("a KeyedJson or has a @KeyedColumn");
    assertThatThrownBy(() -> update("update Person p set p.mate['a'] = 'x'"))
        .hasRootCauseInstanceOf(SemanticException.class);
    assertThatThrownBy(() -> update("update Person p set p.DOC = keyed_set(p.DOC, 'a[', 1)"))
        .hasStackTraceContaining("the path of keyed_set()");
    for (String wrong :
        List.of(
            "update Person p set p.DOC['a'",
            "update Person p set p.DOC['a'] where p.id = 1",
            "update Person p set p.DOC['a'] =",
            "update Person p set p.DOC['a'] = 1,")) {
      assertThatThrownBy(() -> update(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasStackTraceContaining("SyntaxException");
    }
  }

  @Test
  void valueThatIsNotJson_isRefusedAndNothingChanges() throws Exception {
    assertThatThrownBy(
            () ->
                update(
                    "update Person p set p.DOC['a'] = :v",
                    q -> q.setParameter("v", new ByteArrayInputStream(new byte[1]))))
        .hasStackTraceContaining("InvalidJsonException");
    expect(1, "a", "nothing");
    KeyedJson<?> document = KeyedJson.of(Map.of());
    assertThatThrownBy(() -> document.set("a", new StringReader("{}")))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("cannot be a stream or reader");
    update(
        "update Person p set p.DOC['a'] = :v where p.id = 1",
        q -> q.setParameter("v", Arrays.asList("x", "y")));
    expect(1, "a", "[\"x\",\"y\"]");
  }

  @Test
  void reservedRootKey_ofAWholeDocument_isRefusedBeforeTheStatement() throws Exception {
    String hql = "update Person p set p.%s = :doc where p.id = 2";
    KeyedJson<Object> document = KeyedJson.of(Map.of("$pgtoaster", 1, "name", "x"));
    assertThatThrownBy(
            () ->
                orm.inTransaction(
                    s ->
                        s.createMutationQuery(hql.formatted("profile"))
                            .setParameter("doc", document)
                            .executeUpdate()))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("\"$pgtoaster\" is reserved");
    assertThat(at("profile", 2, "name")).isEqualTo("\"Bob\"");
    orm.inTransaction(
        s ->
            s.createMutationQuery(hql.formatted("plain"))
                .setParameter("doc", document)
                .executeUpdate());
    assertThat(at("plain", 2, "name")).isEqualTo("\"x\"");
    orm.inTransaction(s -> s.find(Person.class, 2).profile = document);
    assertThat(documents("profile").load(2).toString()).contains("\"$pgtoaster\":1");
  }

  @Test
  void nestedReservedKey_isAnOrdinaryKey() throws Exception {
    KeyedJson<Object> document = KeyedJson.of(Map.of("a", Map.of("$pgtoaster", 71)));
    for (String column : List.of("profile", "plain")) {
      orm.inTransaction(
          s ->
              s.createMutationQuery(
                      "update Person p set p.%s = :doc where p.id = 2".formatted(column))
                  .setParameter("doc", document)
                  .executeUpdate());
      assertThat(at(column, 2, "a")).isEqualTo("{\"$pgtoaster\":71}");
    }
  }

  private int setRoot(String column, String key, Object value) throws Exception {
    return orm.fromTransaction(
        s ->
            s.createMutationQuery(
                    "update Person p set p.%1$s[:key] = :value where p.%1$s[:key] is null"
                        .formatted(column))
                .setParameter("key", key)
                .setParameter("value", value)
                .executeUpdate());
  }

  @Test
  void reservedRootKey_asAClientsStep_isRefusedBeforeTheStatement() throws Exception {
    for (Object value : List.of("x", List.of(5), Map.of("edits", List.of()))) {
      assertThatThrownBy(() -> setRoot("profile", "$pgtoaster", value))
          .isInstanceOf(InvalidPathException.class)
          .hasMessageContaining("\"$pgtoaster\" is reserved");
    }
    assertThat(setRoot("profile", "fresh", 7)).isEqualTo(3);
    assertThat(at("profile", 1, "fresh") + at("profile", 2, "fresh")).isEqualTo("77");
    assertThat(setRoot("plain", "$pgtoaster", 7)).isEqualTo(3);
    assertThat(orm.database().string("SELECT plain->'$pgtoaster' FROM person WHERE id = 2"))
        .isEqualTo("7");
    orm.inTransaction(s -> s.find(Person.class, 2).profile.set("$pgtoaster", 1));
    assertThat(documents("profile").load(2).orElseThrow().get("$pgtoaster").asInt()).isEqualTo(1);
  }
}
