package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.OutputStream;
import java.sql.Connection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans for calls on one document stay cheap even without statistics of the store. */
class CheckPlansIT {
  private static final String PARAMETER = "CAST(? AS";
  private static final double JIT_ABOVE_COST = 100_000;
  private static final Pattern COST = Pattern.compile("cost=[0-9.]+\\.\\.([0-9.]+)");
  private static final List<Probe> PROBES =
      List.of(
          new Probe(DocumentColumn::stat, "jsonb_path_query", "1"),
          new Probe(DocumentColumn::verify, "UNION ALL", "1"),
          new Probe(
              (d, key) -> d.at(key, "index").keys(),
              "shallow",
              "'{index}', '{index}', 1, NULL, NULL, 9"),
          new Probe(
              (d, key) -> d.at(key, "items").slice(3, 9),
              "below",
              "3, '{items}', '{items}', 1, 3, 9"),
          new Probe(
              (d, key) -> d.load(key, OutputStream.nullOutputStream()),
              "below",
              "NULL, '{}', '{}', 1, NULL, NULL"));

  /**
   * A call.
   *
   * @param call executes it
   * @param word occurs in the examined statement
   * @param arguments the arguments of that statement
   */
  private record Probe(BiConsumer<DocumentColumn, Object> call, String word, String arguments) {}

  /** Covers calls in autocommit mode, in a transaction, and through a transaction pooler. */
  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void callOnOneDocument_isNotCompiled_inAStoreWithoutStatistics(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row(Documents.big(800));
      assertThat(key).isEqualTo(1L);
      for (String part : List.of("head", "node")) {
        String table = fx.table(part);
        fx.run(
            "ALTER TABLE " + table + " SET (autovacuum_enabled = false)",
            "ANALYZE " + table,
            // The statistics of a store with millions of rows after pg_upgrade.
            "DELETE FROM pg_statistic WHERE starelid = CAST('" + table + "' AS regclass)",
            "UPDATE pg_class SET relpages = 1, reltuples = 5000000 WHERE oid = CAST('"
                + table
                + "' AS regclass)");
      }
      Recorder recorder = new Recorder();
      DocumentColumn documents =
          PgToaster.create(recorder.record(fx.pool())).documents("item", DocumentFixture.COLUMN);
      for (Probe probe : PROBES) {
        recorder.clear();
        probe.call().accept(documents, key);
        String sql =
            recorder.statements().stream()
                .map(Recorder.Statement::sql)
                .filter(one -> one.contains(probe.word()) && one.contains("store_"))
                .findFirst()
                .orElseThrow();
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
          String plan = plan(fx, sql, mode, probe.arguments());
          Matcher cost = COST.matcher(plan);
          assertThat(cost.find()).as(plan).isTrue();
          assertThat(Double.parseDouble(cost.group(1))).as(plan).isLessThan(JIT_ABOVE_COST);
          assertThat(plan).doesNotContain("JIT:", "Seq Scan on store");
        }
      }
      fx.afterTest();
    }
  }

  private static String plan(DocumentFixture fx, String sql, String mode, String arguments)
      throws Exception {
    StringBuilder numbered = new StringBuilder(sql);
    for (int n = 1, at = sql.indexOf(PARAMETER); at >= 0; n++) {
      numbered.replace(at + 5, at + 6, "$" + n);
      at = numbered.indexOf(PARAMETER, at);
    }
    try (Connection connection = fx.connect()) {
      Sql.run(connection, "SET jit = on", "SET plan_cache_mode = " + mode);
      Sql.run(connection, "PREPARE probe AS " + numbered);
      return String.join(
          "\n", Sql.strings(connection, "EXPLAIN (ANALYZE) EXECUTE probe(" + arguments + ")"));
    }
  }
}
