package io.pgtoaster.it.jsonb.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that start with a lock of the whole document lock its row only once. */
class RowLockedOnceIT {
  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void lockMergeAndPatch_lockTheRowOnceBeforeTheyEdit(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Recorder recorder = new Recorder();
      try (Connection connection = recorder.record(fx.pool()).getConnection()) {
        connection.setAutoCommit(false);
        DocumentColumn documents =
            PgToaster.on(connection).documents("item", DocumentFixture.COLUMN);
        for (String json : List.of(Documents.big(800), "{\"a\": 1}")) {
          Object key = fx.row(json);
          List<Consumer<DocumentColumn>> calls =
              List.of(d -> d.lock(key), d -> d.mergeJson(key, "{}"), d -> d.patchJson(key, "[]"));
          for (Consumer<DocumentColumn> call : calls) {
            recorder.clear();
            call.accept(documents);
            assertThat(recorder.statements())
                .filteredOn(s -> s.sql().contains("FOR NO KEY UPDATE"))
                .hasSize(1);
            connection.commit();
          }
        }
      }
    }
  }
}
