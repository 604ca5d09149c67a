package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values at the size limits of rows and leaves. */
class KeyedLimitsIT {
  private static final String DIGITS = "123456789".repeat(900);

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edges")
  void hugeNumber_isReadCompletelyBySql_evenAfterDetach(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row("{\"n\": " + DIGITS + ", \"m\": [" + DIGITS + "]}");
      Connection connection = fx.connect();
      String where = fx.where(key);
      assertThat(one(connection, "SELECT pgtoaster.get_text(doc, '{n}') FROM item" + where))
          .isEqualTo(DIGITS);
      assertThat(
              one(
                  connection,
                  "SELECT pgtoaster.contains(doc, '{\"n\": " + DIGITS + "}') FROM item" + where))
          .isEqualTo("t");
      Sql.run(connection, "SELECT pgtoaster.detach('item', 'doc')");
      assertThat(one(connection, "SELECT doc->>'n' FROM item" + where)).isEqualTo(DIGITS);
      assertThat(one(connection, "SELECT doc->'m'->>0 FROM item" + where)).isEqualTo(DIGITS);
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edges")
  void shortMembers_stayInTheRow_nextToAHugeString(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      String json = "{\"id\": 1, \"status\": \"ok\", \"body\": \"" + "x".repeat(3_000_000) + "\"}";
      Object key = fx.row(json);
      String where = fx.where(key);
      assertThat(one(fx.connect(), "SELECT doc->>'status' FROM item" + where)).isEqualTo("ok");
      assertThat(fx.own().stat(key).orElseThrow().leaves()).isGreaterThan(30);
      fx.assertDocument(key, json);
      fx.afterTest();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edges")
  void longKeys_countTowardsTheRow_whenSet(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row("{}");
      for (int i = 0; i < 40; i++) {
        fx.own().at(key, DocumentPath.of(i + "k".repeat(200))).set(true);
      }
      long bytes =
          Long.parseLong(one(fx.connect(), "SELECT pg_column_size(doc) FROM item" + fx.where(key)));
      assertThat(bytes).isLessThan(2_000);
      assertThat(fx.own().at(key, "").size()).hasValue(40);
      fx.afterTest();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void valuesAsDeepAsJsonbSetAllows_areSetAndEdited(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row(Documents.big(60));
      int depth = 1000;
      DocumentPath deepest = DocumentPath.parse("items[5]");
      for (int i = 0; i < depth; i++) {
        deepest = deepest.key("a");
      }
      String deep =
          "{\"a\": ".repeat(depth) + "\"%s\"".formatted("x".repeat(100)) + "}".repeat(depth);
      fx.own().at(key, "items[5]").setJson(deep);
      assertThat(fx.own().at(key, "items[5]").text()).contains(deep);
      fx.own().at(key, deepest).set(7);
      assertThat(fx.own().at(key, deepest).get(Integer.class)).contains(7);
      assertThat(fx.own().verify(key)).isEmpty();
      fx.afterTest();
    }
  }

  private static String one(Connection connection, String sql) throws SQLException {
    try (Statement s = connection.createStatement();
        ResultSet r = s.executeQuery(sql)) {
      r.next();
      return r.getString(1);
    }
  }
}
