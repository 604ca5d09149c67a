package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The catalog's functions and triggers see documents as stored in the rows, even with transparent
 * SQL.
 */
@NeedsExtension
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edgesTransparent")
class TransparentCatalogIT {
  private static final String DOCUMENT =
      "{\"a\": \"%s\", \"list\": [\"%s\", 1]}"
          .formatted(Documents.words(1, 9000), Documents.words(2, 9000));

  @Parameter Setting setting;

  @AutoClose private DocumentFixture fx;

  @BeforeEach
  void attach() {
    fx =
        new DocumentFixture(
            setting, DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512}"));
  }

  private static long one(Connection connection, String sql) throws SQLException {
    return Sql.number(connection, sql);
  }

  @Test
  void statAndRepair_inspectStoredContent() throws SQLException {
    Object key = fx.row(DOCUMENT);
    try (Connection c = fx.database().connect()) {
      assertThat(one(c, "SELECT inline_bytes FROM pgtoaster.column_stat('item', 'doc')"))
          .isLessThan(2000);
      String problems = "SELECT count(*) FROM pgtoaster.repair('item', 'doc', NULL, %s)";
      assertThat(one(c, problems.formatted(true))).isZero();
      fx.runWithoutTriggers("UPDATE item SET doc = jsonb_set(doc, '{list}', '{\"x\": 1}')");
      assertThat(one(c, problems.formatted(false))).isPositive();
      assertThat(one(c, problems.formatted(true))).isZero();
    }
    assertThat(fx.own().verify(key)).isEmpty();
    fx.afterTest();
  }

  @Test
  void contentOfTruncatedRows_isDeleted() throws SQLException {
    Object unused = fx.row(DOCUMENT);
    try (Connection c = fx.database().connect()) {
      Sql.run(c, "TRUNCATE item");
      assertThat(one(c, "SELECT count(*) FROM " + fx.table("node"))).isZero();
    }
    fx.afterTest();
  }

  @Test
  void rewrittenRows_andChangedKeys_keepTheirDocuments() throws SQLException {
    Object unused = fx.row(DOCUMENT);
    try (Connection c = fx.database().connect()) {
      long head = one(c, "SELECT id FROM " + fx.table("head"));
      Sql.run(
          c,
          "UPDATE item SET id = 7",
          "/* pgtoaster */ WITH gone AS (DELETE FROM item RETURNING doc)"
              + " INSERT INTO item (id, doc) SELECT 8, doc FROM gone");
      assertThat(one(c, "SELECT id FROM " + fx.table("head"))).isEqualTo(head);
    }
    fx.assertDocument(8L, DOCUMENT);
    fx.afterTest();
  }

  @Test
  void detach_leavesWholeDocuments() throws SQLException {
    Object key = fx.row(DOCUMENT);
    try (Connection c = fx.database().connect()) {
      Sql.run(c, "SELECT pgtoaster.detach('item', 'doc')", "SET pgtoaster.transparent = off");
      assertThat(Sql.string(c, "SELECT doc FROM item" + fx.where(key)))
          .isEqualTo(fx.canonical(DOCUMENT));
    }
  }
}
