package io.pgtoaster.it.hibernate.query;

import static io.pgtoaster.hibernate.query.DocumentExpressions.contains;
import static io.pgtoaster.hibernate.query.DocumentExpressions.exists;
import static io.pgtoaster.hibernate.query.DocumentExpressions.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.criteria.Expression;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.hibernate.query.criteria.HibernateCriteriaBuilder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Paths in the Criteria API have the requested type. */
class CriteriaPathIT {
  @AutoClose private static Orm orm;

  @BeforeAll
  static void start() throws Exception {
    orm = Orm.on(Setting.newest().get(0)).entities(Person.class).build();
    orm.inTransaction(
        s -> {
          for (long id = 1; id <= 3; id++) {
            s.persist(new Person(id));
          }
        });
    for (String column : List.of("profile", "plain")) {
      var documents = PgToaster.create(orm.dataSource()).documents("person", column);
      documents.putJson(
          1,
          """
          {"name": "Ann", "height": 181.5, "n": {"int": 7, "on": true, "day": "2026-01-02",
           "at": "2026-01-02T03:04:05Z", "id": "6b2c1d2e-0000-4000-8000-000000000001"},
           "bio": "%s", "city": "Oslo"}"""
              .formatted("b".repeat(9000)));
      documents.putJson(2, "{\"name\": \"Bob\", \"n\": {\"int\": 12}, \"city\": \"Oslo\"}");
      documents.putJson(3, "{\"name\": \"Cy\", \"n\": {\"int\": null}, \"city\": \"Bonn\"}");
    }
  }

  private static List<Long> where(
      BiFunction<HibernateCriteriaBuilder, Expression<?>, Predicate> condition) throws Exception {
    List<List<Long>> found = new ArrayList<>();
    for (String column : List.of("profile", "plain")) {
      found.add(
          orm.fromTransaction(
              s -> {
                var builder = s.getCriteriaBuilder();
                var query = builder.createQuery(Long.class);
                Root<Person> person = query.from(Person.class);
                query
                    .select(person.get("id"))
                    .where(condition.apply(builder, person.get(column)))
                    .orderBy(builder.asc(person.get("id")));
                return s.createQuery(query).getResultList();
              }));
    }
    assertThat(found.get(1)).isEqualTo(found.get(0));
    return found.get(0);
  }

  private static <T> T selected(Function<Root<Person>, Expression<T>> what, Class<T> type)
      throws Exception {
    return orm.fromTransaction(
        s -> {
          var builder = s.getCriteriaBuilder();
          var query = builder.createQuery(type);
          Root<Person> person = query.from(Person.class);
          query.select(what.apply(person)).where(builder.equal(person.get("id"), 1L));
          return s.createQuery(query).getSingleResult();
        });
  }

  @Test
  void conditions_areTyped() throws Exception {
    assertThat(where((b, d) -> b.equal(get(d, "name", String.class), "Ann"))).containsExactly(1L);
    assertThat(where((b, d) -> b.gt(get(d, "n.int", Integer.class), 8))).containsExactly(2L);
    assertThat(
            where(
                (b, d) ->
                    b.between(
                        get(d, "height", BigDecimal.class),
                        new BigDecimal("181.4"),
                        new BigDecimal("181.6"))))
        .containsExactly(1L);
    assertThat(where((b, d) -> b.isTrue(get(d, "n.on", Boolean.class)))).containsExactly(1L);
    assertThat(
            where((b, d) -> b.lessThan(get(d, "n.day", LocalDate.class), LocalDate.of(2026, 1, 3))))
        .containsExactly(1L);
    assertThat(where((b, d) -> get(d, "city", String.class).in("Bonn", "Rome")))
        .containsExactly(3L);
    assertThat(where((b, d) -> exists(d, "n.int"))).containsExactly(1L, 2L, 3L);
    assertThat(where((b, d) -> b.not(exists(d, "bio")))).containsExactly(2L, 3L);
    assertThat(where((b, d) -> contains(d, Map.of("n", Map.of("int", 12))))).containsExactly(2L);
  }

  @Test
  void selections_areTyped() throws Exception {
    assertThat(selected(p -> get(p.get("profile"), "n.int", Long.class), Long.class)).isEqualTo(7);
    assertThat(selected(p -> get(p.get("profile"), "height", Double.class), Double.class))
        .isEqualTo(181.5);
    assertThat(selected(p -> get(p.get("profile"), "n.at", Instant.class), Instant.class))
        .isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(selected(p -> get(p.get("profile"), "n.id", UUID.class), UUID.class))
        .isEqualTo(UUID.fromString("6b2c1d2e-0000-4000-8000-000000000001"));
    assertThat(selected(p -> get(p.get("profile"), "n.on", JsonNode.class), JsonNode.class))
        .hasToString("true");
  }

  @Test
  void groupAndOrder_byAPath_work() throws Exception {
    List<Object[]> cities =
        orm.fromTransaction(
            s -> {
              var builder = s.getCriteriaBuilder();
              var query = builder.createQuery(Object[].class);
              Root<Person> person = query.from(Person.class);
              Expression<String> city = get(person.get("profile"), "city", String.class);
              query
                  .select(builder.array(city, builder.count(person)))
                  .groupBy(city)
                  .orderBy(builder.desc(city));
              return s.createQuery(query).getResultList();
            });
    assertThat(cities).extracting(c -> c[0] + " " + c[1]).containsExactly("Oslo 2", "Bonn 1");
  }

  @Test
  void otherTypesAndInvalidPaths_areRefused() {
    assertThatThrownBy(() -> selected(p -> get(p.get("profile"), "n", Map.class), Map.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.util.Map")
        .hasMessageContaining("JsonNode");
    assertThatThrownBy(() -> selected(p -> get(p.get("profile"), "a[", String.class), String.class))
        .hasMessageContaining("the path of keyed_text()");
  }
}
