package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The option {@code unchanged} reports an UPDATE that leaves a split document unchanged only if
 * operators do not see the whole document.
 */
@NeedsExtension
class TransparentGuardIT {
  private static final String UNCHANGED =
      "UPDATE item SET doc = jsonb_set(doc, '{long}', doc->'long')";

  private static boolean warns(Connection connection, String sql) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.execute(sql);
      return s.getWarnings() != null;
    }
  }

  private static DocumentFixture column(Setting setting, String unchanged) {
    DocumentFixture fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed("{\"row_budget\": 256, \"unchanged\": \"" + unchanged + "\"}"));
    Object unused = fx.row("{\"long\": \"%s\"}".formatted(Documents.words(1, 9000)));
    return fx;
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edgesTransparent")
  void unchangedDocument_causesAWarning_ifOperatorsDoNotSeeIt(Setting setting) throws Exception {
    try (DocumentFixture fx = column(setting, "warning")) {
      try (Connection c = fx.database().connect()) {
        assertThat(warns(c, "UPDATE item SET doc = doc")).isFalse();
        assertThat(warns(c, UNCHANGED)).isFalse();
        Sql.run(c, "SET pgtoaster.transparent = off");
        assertThat(warns(c, "UPDATE item SET doc = doc")).isTrue();
      }
      fx.afterTest();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edgesTransparent")
  void unchangedDocument_isRefused_ifOperatorsDoNotSeeIt(Setting setting) throws Exception {
    try (DocumentFixture fx = column(setting, "error")) {
      try (Connection c = fx.database().connect()) {
        Sql.run(c, "UPDATE item SET doc = doc", UNCHANGED, "SET pgtoaster.transparent = off");
        assertThatThrownBy(() -> Sql.run(c, "UPDATE item SET doc = doc"))
            .hasMessageContaining("the UPDATE does not change it");
      }
      fx.afterTest();
    }
  }

  /** Without the module, anybody can set a parameter with this name. */
  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edges")
  void settingWithoutTheModule_hasNoEffect(Setting setting) throws Exception {
    try (DocumentFixture fx = column(setting.withoutTransparency(), "error")) {
      try (Connection c = fx.database().connect()) {
        Sql.run(c, "SET pgtoaster.transparent = on");
        assertThatThrownBy(() -> Sql.run(c, "UPDATE item SET doc = doc"))
            .hasMessageContaining("the UPDATE does not change it");
      }
      fx.afterTest();
    }
  }
}
