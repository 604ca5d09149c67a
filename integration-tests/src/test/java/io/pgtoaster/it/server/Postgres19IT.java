package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Breadth;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Statements that are new in PostgreSQL 19, over split documents. */
@ParameterizedClass(name = "{0}")
@MethodSource("settings")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#runs19",
    disabledReason = "PostgreSQL 19 is not among the versions that run")
class Postgres19IT {
  private static final String DOCUMENT =
      IntStream.range(0, 40)
          .mapToObj(i -> "\"k%d\": \"%s\"".formatted(i, "X".repeat(60)))
          .collect(Collectors.joining(", ", "{\"map\": {", "}}"));

  @Parameter Setting setting;

  private DocumentFixture fx;
  private Object key;
  private String whole;

  static List<Setting> settings() {
    return Stream.of(
            new Setting(19, true), new Setting(19, true).withExtension().withTransparency())
        .filter(s -> !s.extension() || Breadth.chosen().executors().contains(true))
        .toList();
  }

  @BeforeParameterizedClassInvocation
  void split() {
    fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"));
    key = fx.row(DOCUMENT);
    whole = fx.canonical(DOCUMENT);
  }

  @AfterParameterizedClassInvocation
  void close() throws Exception {
    fx.afterTest();
    fx.close();
  }

  /** Returns an expression for the whole document. */
  private String shown(String column) {
    return setting.transparent() ? column : "pgtoaster.expand(" + column + ")";
  }

  @Test
  void onConflictDoSelect_returnsTheDocumentOfTheRow() {
    assertThat(
            fx.string(
                "INSERT INTO item (id, doc) VALUES (%s, '{}') ON CONFLICT (id) DO SELECT FOR UPDATE RETURNING %s"
                    .formatted(key, shown("doc"))))
        .isEqualTo(whole);
    fx.assertDocument(key, DOCUMENT);
  }

  @Test
  void merge_editsADocument_andReturns() {
    Object other = fx.row(DOCUMENT);
    assertThat(
            fx.string(
                """
                    WITH merged AS (
                      MERGE INTO item i USING (SELECT CAST(%s AS bigint) AS id) s ON i.id = s.id
                      WHEN MATCHED THEN UPDATE SET name = 'merged', doc = pgtoaster.set(i.doc, '{map,k7}', '7')
                      RETURNING merge_action() || ' ' || i.id AS action)
                    SELECT action FROM merged
                    """
                    .formatted(other)))
        .isEqualTo("UPDATE " + other);
    assertThat(fx.own().at(other, "map.k7").text()).hasValue("7");
    assertThat(fx.own().verify(other)).isEmpty();
  }

  /** {@code OLD} and {@code NEW} are new in PostgreSQL 18. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET doc = %s%s",
        "MERGE INTO item USING (SELECT 1) s ON id = %3$s WHEN MATCHED THEN UPDATE SET doc = %1$s",
        "INSERT INTO item AS i (id) VALUES (%3$s) ON CONFLICT (id) DO UPDATE SET doc = %1$s"
      })
  void returning_showsTheDocumentBeforeAndAfter(String change) throws Exception {
    Object other = fx.row(DOCUMENT);
    String edit = "pgtoaster.set(pgtoaster.set(item.doc, '{map,k7}', '%s'), '{n}', '%1$s')";
    String update = change.contains(" i ") ? edit.replace("item.", "i.") : edit;
    List<String> shown =
        setting.transparent()
            ? List.of(
                "old.doc->'map'->'k7'", "old.doc->'n'", "new.doc->'map'->'k7'", "new.doc->'n'")
            : List.of(
                "old.doc->'n'",
                "new.doc->'n'",
                "old.doc->'$pgtoaster'->'edits'",
                "new.doc->'$pgtoaster'->'edits'");
    try (Connection first = fx.database().connect();
        Connection second = fx.database().connect()) {
      first.setAutoCommit(false);
      Sql.run(first, "UPDATE item SET doc = " + edit.formatted(1) + fx.where(other));
      Future<String> returned =
          Wait.start(
              () ->
                  Sql.string(
                      second,
                      change.formatted(update.formatted(2), fx.where(other), other)
                          + " RETURNING ARRAY[%s]".formatted(String.join(", ", shown))));
      fx.database().awaitLockWaiters(1);
      first.commit();
      assertThat(Wait.get(returned))
          .isEqualTo(setting.transparent() ? "{1,1,2,2}" : "{1,2,NULL,NULL}");
    }
  }

  @Test
  void copyAsJson_hasTheWholeDocument() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Connection c = fx.database().connect()) {
      c.unwrap(PGConnection.class)
          .getCopyAPI()
          .copyOut(
              "COPY (SELECT %s AS doc FROM item%s) TO STDOUT (FORMAT json)"
                  .formatted(shown("doc"), fx.where(key)),
              out);
    }
    assertThat(fx.canonical(out.toString(StandardCharsets.UTF_8)))
        .isEqualTo(fx.canonical("{\"doc\": %s}".formatted(DOCUMENT)));
  }

  @Test
  void jsonpathMethods_readTheWholeDocument() {
    assertThat(
            fx.string(
                "SELECT jsonb_path_query(%s, '$.map.k7.lower().replace(\"x\", \"y\")') FROM item%s"
                    .formatted(shown("doc"), fx.where(key))))
        .isEqualTo("\"" + "y".repeat(60) + "\"");
  }
}
