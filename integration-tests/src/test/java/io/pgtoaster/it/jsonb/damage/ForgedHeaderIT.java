package io.pgtoaster.it.jsonb.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A forged header that the triggers did not see damages only its row. */
class ForgedHeaderIT {
  private static final List<String> HEADERS =
      List.of(
          "1",
          "null",
          "[]",
          "[0]",
          "[-1]",
          "[1]",
          "[1.5]",
          "[9223372036854775807]",
          "[1e400]",
          "[\"1\"]",
          "{\"a\": 1}",
          "[8796093022209]");

  private static void forge(DocumentFixture fx) throws SQLException {
    try (Connection c = fx.database().connect()) {
      Sql.run(c, "SET session_replication_role = replica");
      for (int i = 0; i < HEADERS.size(); i++) {
        Sql.run(
            c,
            "INSERT INTO item (id, doc) VALUES (%d, '{\"a\": {\"$pgtoaster\": 7}, \"$pgtoaster\": %s}')"
                .formatted(1000 + i, HEADERS.get(i)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void queriesOverOtherDocumentsAndDetach_stillWork(Setting setting) throws Exception {
    String document = Documents.big(40);
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row(document);
      forge(fx);
      Expect.refused(DocumentCorruptException.class, () -> fx.own().text(1000L));
      List<String> stored = fx.strings("SELECT doc FROM item WHERE id >= 1000 ORDER BY id");
      try (Connection c = fx.database().connect()) {
        assertThatThrownBy(() -> Sql.strings(c, "SELECT pgtoaster.expand(doc) FROM item"))
            .hasMessageContaining("SET pgtoaster.forged_header = warning");
        Sql.run(c, "SET pgtoaster.forged_header = warning");
        assertThat(
                Sql.strings(
                    c, "SELECT pgtoaster.expand(doc) FROM item WHERE id >= 1000 ORDER BY id"))
            .isEqualTo(stored);
        assertThat(
                Sql.strings(
                    c,
                    "SELECT pgtoaster.expand(doc) FROM item WHERE pgtoaster.contains(doc,"
                        + " '{\"items\": []}') AND pgtoaster.get_text(doc, '{items,3,text}') IS NOT"
                        + " NULL"))
            .containsExactly(fx.canonical(document));
      }
      fx.run("SELECT pgtoaster.detach('item', 'doc')");
      assertThat(fx.string("SELECT doc FROM item" + fx.where(key)))
          .isEqualTo(fx.canonical(document));
      assertThat(fx.strings("SELECT doc FROM item WHERE id >= 1000 ORDER BY id")).isEqualTo(stored);
    }
  }
}
