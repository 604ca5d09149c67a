package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reading one path of many documents is one statement. It reads the same number of rows as separate
 * reads do.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManyDocumentsIT {
  private static final int MANY = 100;
  private static final double JIT_ABOVE_COST = 100_000;
  private static final Pattern COST = Pattern.compile("cost=[0-9.]+\\.\\.([0-9.]+)");
  private static final List<String> PATHS = List.of("name", "items[700]", "index.k3500.no", "deep");

  @AutoClose private DocumentFixture fx;
  private List<Object> keys;

  /** Creates a store that was never analyzed, with more documents than the test reads. */
  @BeforeAll
  void open() {
    fx = new DocumentFixture(new Setting(PostgresServers.newest(), true), DocumentSpec.keyed("{}"));
    for (String part : List.of("head", "node")) {
      fx.run("ALTER TABLE " + fx.table(part) + " SET (autovacuum_enabled = false)");
    }
    String document = Documents.big(800);
    assertThat(document.length()).isGreaterThan(100_000);
    keys = IntStream.range(0, 2 * MANY).mapToObj(i -> fx.row(document)).toList();
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx.afterTest();
  }

  private long rowsRead(String mode, Consumer<DocumentColumn> work) throws Exception {
    Connection connection = fx.begin();
    Sql.run(connection, "SET LOCAL plan_cache_mode = " + mode);
    work.accept(fx.on(connection));
    String figures =
        Sql.string(
            connection,
            "SELECT CAST(sum(idx_tup_fetch) AS text) || ' ' || sum(seq_scan) FROM pg_stat_xact_user_tables"
                + " WHERE relname LIKE 'store%node'");
    connection.rollback();
    assertThat(figures).endsWith(" 0");
    return Long.parseLong(figures.substring(0, figures.indexOf(' ')));
  }

  private void eachPathOfManyDocuments_readsTheSameNumberOfRowsAsSingleReads(String mode)
      throws Exception {
    for (String text : PATHS) {
      DocumentPath path = DocumentPath.parse(text);
      long one = rowsRead(mode, d -> d.at(keys.get(MANY), path).text());
      long many = rowsRead(mode, d -> d.textAll(keys.subList(50, 50 + MANY), path));
      assertThat(many).as(text).isEqualTo(MANY * one);
    }
    long nodes = rowsRead(mode, d -> d.text(keys.get(MANY)));
    long all = rowsRead(mode, d -> d.textAll(keys.subList(50, 50 + MANY), DocumentPath.root()));
    assertThat(all).isEqualTo(MANY * nodes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void manyDocuments_readNoMoreRowsThanSingleReads(String mode) throws Exception {
    eachPathOfManyDocuments_readsTheSameNumberOfRowsAsSingleReads(mode);
    fx.run("VACUUM ANALYZE " + fx.table("node"), "VACUUM ANALYZE " + fx.table("head"));
    eachPathOfManyDocuments_readsTheSameNumberOfRowsAsSingleReads(mode);
  }

  @Test
  void manyDocuments_areReadByOneStatement() {
    Recorder recorder = new Recorder();
    DocumentColumn documents =
        PgToaster.create(recorder.record(fx.pool())).documents("item", DocumentFixture.COLUMN);
    DocumentPath path = DocumentPath.parse("items[700].no");
    assertThat(documents.getAll(keys, path)).hasSize(2 * MANY);
    recorder.clear();
    assertThat(documents.getAll(keys, path)).hasSize(2 * MANY);
    assertThat(recorder.statements()).hasSize(1);
  }

  @Test
  void readOfManyDocuments_isNotCompiled() {
    Recorder recorder = new Recorder();
    DocumentColumn documents =
        PgToaster.create(recorder.record(fx.pool())).documents("item", DocumentFixture.COLUMN);
    documents.textAll(keys, "items[700]");
    String sql = recorder.statements().get(recorder.statements().size() - 1).sql();
    String nulls = sql.replace("CAST(?", "CAST(NULL");
    String plan = String.join("\n", fx.strings("EXPLAIN " + nulls));
    Matcher cost = COST.matcher(plan);
    assertThat(cost.find()).as(plan).isTrue();
    assertThat(Double.parseDouble(cost.group(1))).as(plan).isLessThan(JIT_ABOVE_COST);
  }

  @Test
  void foreignStubAmongMany_isRefusedByItsKey() throws Exception {
    Object copy = fx.unknownKey();
    fx.run(
        "SET session_replication_role = replica",
        "INSERT INTO item (id, doc) SELECT " + copy + ", doc FROM item" + fx.where(keys.get(0)));
    try {
      DocumentCorruptException e =
          Expect.refused(
              DocumentCorruptException.class,
              () ->
                  fx.own()
                      .getAll(
                          List.of(keys.get(1), copy, keys.get(2)), DocumentPath.parse("items[7]")));
      assertThat(e).hasMessageContaining("key " + copy);
    } finally {
      fx.run("SET session_replication_role = replica", "DELETE FROM item" + fx.where(copy));
    }
  }
}
