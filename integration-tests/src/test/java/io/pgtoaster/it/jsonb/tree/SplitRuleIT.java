package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.it.jsonb.tree.SplitRuleCases.Case;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The same members stay in the row with every writer: {@code put} in Java, {@code compact} in Java
 * or C, edits as values in PL/pgSQL, single edits in PL/pgSQL or C. The rule is in {@code
 * docs/internals.md}.
 */
class SplitRuleIT {
  private static final String LARGE = "x".repeat(9_000);

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void rowContent_isTheSame_forEveryWriter(Setting setting) throws Exception {
    List<Case> cases = SplitRuleCases.all(Long.getLong("pgtoaster.test.seed", 44));
    int inPlace = 0;
    List<String> differences = new ArrayList<>();
    for (String options : cases.stream().map(Case::options).distinct().toList()) {
      try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed(options))) {
        // There is no alignment gap after this column, so its size does not depend on the document.
        fx.run("ALTER TABLE item ALTER name SET STORAGE PLAIN");
        Connection connection = fx.connect();
        for (Case c : cases) {
          if (c.options().equals(options)) {
            try {
              inPlace += new Writers(fx, connection, c).compare();
            } catch (AssertionError e) {
              differences.add(e.getMessage());
            }
          }
        }
        fx.afterTest();
      }
    }
    assertThat(differences).isEmpty();
    assertThat(inPlace)
        .as("edits that left different members in the row")
        .isLessThan(cases.size() / 5);
  }

  private record Writers(DocumentFixture fx, Connection connection, Case c) {
    /** Compares the writers. Returns 1 if the single edit made another valid choice. */
    int compare() throws SQLException {
      ObjectNode document = with(c.members());
      Object put = row(document);
      String expected = content(put);
      fx.own().compact(put);
      assertThat(content(put)).as("%s, compacted again", c.name()).isEqualTo(expected);
      if (fx.usesExtension()) {
        assertPlainCompacted(document, expected);
      } else {
        assertMerged(document, expected);
      }
      return edited();
    }

    private void assertPlainCompacted(ObjectNode document, String expected) throws SQLException {
      if (document.has("$pgtoaster")) {
        // Plain SQL cannot write such a document.
        return;
      }
      Object key = row(null);
      update(key, Sql.literal(document.toString()));
      fx.own().compact(key);
      assertThat(content(key)).as("%s, compacted", c.name()).isEqualTo(expected);
    }

    private void assertMerged(ObjectNode document, String expected) throws SQLException {
      Object key = row(with(JsonNodeFactory.instance.objectNode()));
      String value = "pgtoaster.merge(doc, %s)".formatted(Sql.literal(withoutNulls().toString()));
      for (var member : c.members().properties()) {
        if (member.getValue().isNull()) {
          // A merge would remove null members.
          value =
              "pgtoaster.set(%s, ARRAY[%s], 'null')".formatted(value, Sql.literal(member.getKey()));
        }
      }
      update(key, value);
      assertThat(content(key)).as("%s, merged", c.name()).isEqualTo(expected);
      fx.assertDocument(key, document.toString());
    }

    /** Sets one member through the API, and through an edit as a value. */
    private int edited() throws SQLException {
      ObjectNode members = c.members().deepCopy();
      String last = List.copyOf(members.propertyNames()).get(members.size() - 1);
      JsonNode value = members.remove(last);
      Object bySql = row(with(members));
      Object byApi = row(with(members));
      update(
          bySql,
          "pgtoaster.set(doc, ARRAY[%s], %s)"
              .formatted(Sql.literal(last), Sql.literal(value.toString())));
      fx.own().at(byApi, DocumentPath.of(last)).set(value);
      String expected = content(bySql);
      if (content(byApi).equals(expected)) {
        return 0;
      }
      // An edit may leave all members in the row if they are within the budget.
      long budget =
          Sql.number(
              connection,
              "SELECT CAST(options ->> 'row_budget' AS integer) FROM pgtoaster.attached_column"
                  + " WHERE owner = 'item'::regclass");
      if (Sql.number(connection, "SELECT pg_column_size(item.*) FROM item" + fx.where(byApi))
          > budget) {
        assertThat(content(byApi)).as("%s, one member set", c.name()).isEqualTo(expected);
      }
      return 1;
    }

    private ObjectNode with(ObjectNode members) {
      return members.deepCopy().put("zz", LARGE);
    }

    private ObjectNode withoutNulls() {
      ObjectNode members = c.members().deepCopy();
      members.removeIf(JsonNode::isNull);
      return members;
    }

    private Object row(ObjectNode document) throws SQLException {
      Object key = fx.unknownKey();
      Sql.run(connection, fx.insert(key));
      int other = Math.max(100, c.other() / 4 * 4);
      Sql.run(connection, "UPDATE item SET name = repeat('w', " + other + ")" + fx.where(key));
      if (document != null) {
        fx.own().put(key, document);
      }
      return key;
    }

    private void update(Object key, String value) throws SQLException {
      Sql.run(connection, "UPDATE item SET doc = " + value + fx.where(key));
    }

    /** Returns the row's content without the numbers of documents and nodes. */
    private String content(Object key) throws SQLException {
      return Sql.string(connection, "SELECT pgtoaster.stored(doc) FROM item" + fx.where(key))
          .replaceAll("x{20,}", "xx")
          .replaceAll("\\{\"\\$pgtoaster\": \\d+}", "-")
          .replaceAll("\"\\$pgtoaster\": \\[\\d+]", "\"\\$pgtoaster\": []")
          .replaceAll("\"\\$pgtoaster\": \\[\\d+, \\d+]", "\"\\$pgtoaster\": [+]");
    }
  }
}
