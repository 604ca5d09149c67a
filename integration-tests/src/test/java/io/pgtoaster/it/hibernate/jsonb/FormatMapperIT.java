package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.hibernate.query.DocumentExpressions;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.StringNode;

/** A user's text remains a JSON string even if Hibernate's JSON mapper is configured. */
class FormatMapperIT {
  @AutoClose private static Orm orm;

  @Entity(name = "Form")
  static class Form {
    @Id long id = 1;
    KeyedJson<Map<String, Object>> answers = KeyedJson.of(Map.of("list", List.of(), "n", 7));
    KeyedJson<Object> value = KeyedJson.of("00501");
    @KeyedColumn String text = "00501";
  }

  @BeforeAll
  static void start() {
    orm = Orm.on(Setting.newest().get(0)).jackson3().entities(Form.class).build();
  }

  @BeforeEach
  void oneRow() throws Exception {
    orm.inTransaction(
        s -> {
          s.createMutationQuery("delete from Form").executeUpdate();
          s.persist(new Form());
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"12345", "00501", "true", "null", "{\"a\": 1}", "[1]", "\"q\"", "", "é"})
  void string_remainsAString_whereverItIsPassed(String text) throws Exception {
    orm.inTransaction(
        s -> {
          Form form = s.find(Form.class, 1L);
          form.answers.set("set", text);
          form.answers.append("list", text, List.of(text));
          form.answers.merge(Map.of("merged", text));
          form.value.put(text);
          form.text = text;
        });
    orm.inTransaction(
        s -> {
          s.createMutationQuery("update Form f set f.answers['hql'] = :text")
              .setParameter("text", text)
              .executeUpdate();
          var builder = s.getCriteriaBuilder();
          var update = builder.createCriteriaUpdate(Form.class);
          var root = update.from(Form.class);
          update.set(
              root.<KeyedJson<?>>get("answers"),
              DocumentExpressions.set(root.get("answers"), "criteria", text));
          s.createMutationQuery(update).executeUpdate();
        });
    orm.inTransaction(
        s -> {
          Form form = s.find(Form.class, 1L);
          for (String path : List.of("set", "list[0]", "list[1][0]", "merged", "hql", "criteria")) {
            assertThat(form.answers.get(path)).as(path).contains(StringNode.valueOf(text));
            assertThat(form.answers.get(path, String.class)).as(path).contains(text);
            assertThat(form.answers.get(path, Object.class)).as(path).contains(text);
          }
          assertThat(form.value.load()).isEqualTo(text);
          assertThat(form.text).isEqualTo(text);
        });
    assertThat(orm.database().strings("SELECT jsonb_typeof(text) FROM form"))
        .containsExactly("string");
  }

  @Test
  void valueOfAnUnknownClass_isReadByItsStructure() throws Exception {
    orm.inTransaction(
        s -> {
          Form form = s.find(Form.class, 1L);
          assertThat(form.answers.get("n", Object.class)).contains(7);
          assertThat(form.answers.get("list", Object.class)).contains(List.of());
          form.value.put(Map.of("a", List.of(1, "2")));
        });
    orm.inTransaction(
        s ->
            assertThat(s.find(Form.class, 1L).value.load())
                .isEqualTo(Map.of("a", List.of(1, "2"))));
  }
}
