package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.PgToaster;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowExistsException;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.StringReader;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Inserts of rows with documents. */
@ParameterizedClass(name = "{1}, {0}")
@MethodSource("columns")
class InsertIT {
  @Parameter(0)
  Setting setting;

  @Parameter(1)
  ColumnSpec spec;

  @AutoClose private DocumentFixture fx;

  static Stream<Arguments> columns() {
    List<ColumnSpec> specs =
        List.of(
            DocumentSpec.keyed("{}"),
            DocumentSpec.keyed("{\"row_budget\": 256}", ColumnSpec.Key.COMPOSITE),
            DocumentSpec.stock());
    return Setting.newestByBoth().stream()
        .flatMap(
            setting ->
                specs.stream()
                    .filter(column -> column.hasStore() || !setting.extension())
                    .map(column -> Arguments.of(setting, column)));
  }

  @BeforeEach
  void open() throws Exception {
    fx = new DocumentFixture(setting, spec);
  }

  /** Returns a key that no row has. */
  private Object freeKey() {
    Object key = fx.row();
    fx.run("DELETE FROM item");
    return key;
  }

  private static String document(int roles) {
    return IntStream.range(0, roles)
        .mapToObj("{\"year\": %d, \"title\": \"a title of some length\"}"::formatted)
        .collect(Collectors.joining(", ", "{\"id\": 7, \"roles\": [", "]}"));
  }

  @Test
  void documentsOfAnySize_areInsertedWithTheirRows() {
    for (int roles : new int[] {0, 30, 2_000, 15_000}) {
      Object key = freeKey();
      assertThat(fx.documents().insertJson(key, document(roles)).written()).isPositive();
      fx.assertDocument(key, document(roles));
      fx.documents().at(key, "roles").append("last");
      assertThat(fx.documents().at(key, "roles").size()).hasValue(roles + 1);
    }
    fx.run("DELETE FROM item");
    assertThat(fx.orphans()).isEmpty();
  }

  @Test
  void insertAll_ofDocumentsOfAllSizes_insertsAllRows() {
    Map<Object, JsonNode> batch = new LinkedHashMap<>();
    for (int roles : new int[] {0, 1, 30, 40, 2_000, 15_000, 2, 50}) {
      batch.put(freeKey(), JsonMapper.shared().readTree(document(roles)));
    }
    batch.put(freeKey(), JsonMapper.shared().readTree("{\"$pgtoaster\": [1, 2]}"));
    batch.put(freeKey(), JsonMapper.shared().readTree("[1, 2]"));

    fx.documents().insertAll(batch);

    batch.forEach((key, document) -> fx.assertDocument(key, document.toString()));
    fx.documents().insertAll(Map.of());
    fx.run("DELETE FROM item");
    assertThat(fx.orphans()).isEmpty();
  }

  @Test
  void insertAll_withAnExistingRow_namesIt_andInsertsNothing() {
    Object there = fx.row(document(500));
    for (int roles : new int[] {0, 500}) {
      Map<Object, JsonNode> batch = new LinkedHashMap<>();
      batch.put(there, JsonMapper.shared().readTree(document(roles)));
      for (int i = 0; i < 5; i++) {
        batch.put(fx.unknownKey(), JsonMapper.shared().readTree(document(i * 30)));
      }
      assertThatExceptionOfType(RowExistsException.class)
          .isThrownBy(() -> fx.own().insertAll(batch))
          .withMessageContaining("key " + there);
    }
    assertThat(fx.number("SELECT count(*) FROM item")).isEqualTo(1);
    fx.assertDocument(there, document(500));
    fx.run("DELETE FROM item");
    assertThat(fx.orphans()).isEmpty();
  }

  @Test
  void insertEach_withRefusedRows_insertsTheOthers() throws Exception {
    fx.run("ALTER TABLE item ADD CHECK (doc->>'id' IS DISTINCT FROM '13')");
    try (Connection connection = fx.database().connect()) {
      connection.setAutoCommit(false);
      for (DocumentColumn documents :
          List.of(
              fx.own(),
              PgToaster.on(connection).documents(DocumentFixture.TABLE, DocumentFixture.COLUMN))) {
        Object there = fx.row(document(500));
        Object checked = fx.unknownKey();
        Map<Object, JsonNode> batch = new LinkedHashMap<>();
        batch.put(there, JsonMapper.shared().readTree(document(3)));
        for (int roles : new int[] {0, 1, 500, 2, 15_000, 600}) {
          batch.put(fx.unknownKey(), JsonMapper.shared().readTree(document(roles)));
        }
        batch.put(checked, JsonMapper.shared().readTree("{\"id\": 13}"));

        Map<Object, PgToasterException> failures = documents.insertEach(batch);
        connection.commit();

        assertThat(failures).containsOnlyKeys(there, checked);
        assertThat(failures.get(there))
            .isInstanceOf(RowExistsException.class)
            .hasMessageContaining("key " + there);
        assertThat(failures.get(checked)).isInstanceOf(DatabaseException.class);
        batch.keySet().removeAll(failures.keySet());
        batch.forEach((key, document) -> fx.assertDocument(key, document.toString()));
        fx.assertDocument(there, document(500));
        assertThat(fx.number("SELECT count(*) FROM item")).isEqualTo(7);
        fx.run("DELETE FROM item");
      }
    }
    assertThat(fx.orphans()).isEmpty();
  }

  @Test
  void insertAll_ofText_namesTheRow() {
    Object key = freeKey();
    assertThatExceptionOfType(InvalidJsonException.class)
        .isThrownBy(() -> fx.own().insertAll(Map.of(key, "{}")))
        .withMessageContaining("key ");
  }

  @Test
  void streams_andKeysLikeMarkers_areInserted() {
    Object key = freeKey();
    fx.documents().insertJson(key, new StringReader(document(5_000)));
    fx.assertDocument(key, document(5_000));
    Object other = freeKey();
    fx.documents().insertJson(other, "{\"$pgtoaster\": [1, 2]}");
    fx.assertDocument(other, "{\"$pgtoaster\": [1, 2]}");
    Object array = freeKey();
    fx.documents().insertJson(array, "[1, 2]");
    fx.assertDocument(array, "[1, 2]");
  }

  @Test
  void existingRow_isNotChanged() {
    Object key = fx.row(document(500));
    for (int roles : new int[] {0, 500, 15_000}) {
      assertThatExceptionOfType(RowExistsException.class)
          .isThrownBy(() -> fx.own().insertJson(key, document(roles)))
          .withMessageContaining("call put to store its document");
    }
    fx.assertDocument(key, document(500));
    assertThat(fx.orphans()).isEmpty();
  }

  @Test
  void rowRefusedByTheTable_leavesNothing() {
    Object key = freeKey();
    fx.run("ALTER TABLE item ADD COLUMN must bigint NOT NULL");
    assertThatExceptionOfType(DatabaseException.class)
        .isThrownBy(() -> fx.own().insertJson(key, document(500)))
        .withMessageContaining("must");
    assertThatExceptionOfType(InvalidJsonException.class)
        .isThrownBy(() -> fx.own().insertJson(key, "{\"a\": "));
    assertThat(fx.number("SELECT count(*) FROM item")).isZero();
    assertThat(fx.orphans()).isEmpty();
  }

  @Test
  void insert_isUndoneByTheCallersRollback() throws Exception {
    Object key = freeKey();
    try (Connection connection = fx.database().connect()) {
      connection.setAutoCommit(false);
      DocumentColumn on =
          PgToaster.on(connection).documents(DocumentFixture.TABLE, DocumentFixture.COLUMN);
      on.insertJson(key, document(500));
      assertThat(on.at(key, "roles").size()).hasValue(500);
      connection.rollback();
    }
    assertThat(fx.number("SELECT count(*) FROM item")).isZero();
    assertThat(fx.orphans()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void insert_sendsOneMessage(boolean prepared) throws Exception {
    try (Cuts cuts = new Cuts(fx.database());
        Connection connection = cuts.connect(prepared)) {
      DocumentColumn documents =
          PgToaster.on(connection).documents(DocumentFixture.TABLE, DocumentFixture.COLUMN);
      for (int roles : new int[] {20, 2_000}) {
        for (int i = 0; i < 10; i++) {
          documents.insertJson(freeKey(), document(roles));
        }
        Object key = freeKey();
        cuts.allow(1, () -> documents.insertJson(key, document(roles)));
        fx.assertDocument(key, document(roles));
      }
    }
  }
}
