package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** A table with the same documents in an attached and in a plain column. */
abstract class SqlEditsSuite {
  static final String WORDS = Documents.words(1, 900);

  /** A document with short members, long arrays and objects, and nested branches. */
  static final String DOCUMENT =
      """
      {"name": "Ada", "n": 1, "none": null, "tags": ["a", "b"], "in": {"x": 1, "long": "%1$s", "very": [%2$s]}, "text": "%1$s",
       "list": [%2$s], "map": {%3$s}, "deep": {"a": [{"b": [%2$s], "t": "%1$s"}, "%1$s"], "c": {"d": {"e": "%1$s"}}},
       "digits": %4$s, "$$pgtoaster": {"$pgtoaster": "%1$s"}, "odd": {"$pgtoaster": 7, "t": "%1$s"}}\
      """
          .formatted(
              WORDS,
              IntStream.range(0, 120)
                  .mapToObj(i -> "{\"i\": %d, \"t\": \"%s\"}".formatted(i, Documents.words(i, 40)))
                  .collect(Collectors.joining(", ")),
              IntStream.range(0, 120)
                  .mapToObj(i -> "\"k%d\": {\"i\": %d}".formatted(i, i))
                  .collect(Collectors.joining(", ")),
              "9".repeat(3_000));

  /** The same document with so many short members that the root has an overflow branch. */
  static final String MANY =
      DOCUMENT.substring(0, DOCUMENT.lastIndexOf('}'))
          + IntStream.range(0, 90)
              .mapToObj(i -> ", \"m%d\": \"%s\"".formatted(i, Documents.words(i, 30)))
              .collect(Collectors.joining("", "", "}"));

  static final String PLAIN = "{\"name\": \"Ada\", \"n\": 1, \"list\": [1, 2, 3], \"map\": {}}";

  @Parameter Setting setting;

  private DocumentFixture fx;

  DocumentFixture fx() {
    if (fx == null) {
      fx =
          new DocumentFixture(
              setting,
              DocumentSpec.keyed(
                  "{\"row_budget\": 800, \"leaf_size\": 512, \"fan_out\": 4, \"unchanged\": \"error\","
                      + " \"keep_inline\": [\"/tags\"]}"));
      fx.run("ALTER TABLE item ADD COLUMN plain jsonb, ADD COLUMN changed int NOT NULL DEFAULT 0");
    }
    return fx;
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx().run("DELETE FROM item");
    fx().afterTest();
  }

  @AfterParameterizedClassInvocation
  void close() {
    if (fx != null) {
      fx.close();
      fx = null;
    }
  }

  Object row(String json) {
    Object key = fx().row(json);
    fx().run("UPDATE item SET plain = " + Sql.literal(json) + fx().where(key));
    return key;
  }

  /** Runs the statement for the column {@code doc} and for the plain column. */
  void change(String sql) {
    fx().run(sql, sql.replace("doc", "plain"));
  }

  void edit(Object key, String expression) {
    change("UPDATE item SET doc = " + expression + fx().where(key));
  }

  void assertSame(Object... keys) {
    for (Object key : keys) {
      assertThat(fx().strings("SELECT CAST(plain AS text) FROM item" + fx().where(key)))
          .containsExactly(
              fx().string(
                      "SELECT CAST(pgtoaster.expand(doc) AS text) FROM item" + fx().where(key)));
      assertThat(fx().own().verify(key)).isEmpty();
    }
  }

  SQLException refused(String sql) throws SQLException {
    try (Connection c = fx().database().connect()) {
      SQLException e = catchThrowableOfType(SQLException.class, () -> Sql.run(c, sql));
      assertThat((Throwable) e).as(sql).isNotNull();
      return e;
    }
  }

  String stored(Object key) {
    return fx().string("SELECT CAST(doc AS text) FROM item" + fx().where(key));
  }

  long nodes() {
    return fx().number("SELECT count(*) FROM " + fx().table("node"));
  }
}
