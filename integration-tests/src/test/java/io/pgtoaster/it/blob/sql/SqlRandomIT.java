package io.pgtoaster.it.blob.sql;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.RandomOperations;
import io.pgtoaster.it.kit.RandomRuns;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.SqlApi;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on the same blob, alternately through SQL functions and through the library,
 * compared with a byte array.
 */
@Tag("ci")
@Tag("turn-2")
class SqlRandomIT {
  static Stream<Arguments> columns() {
    Stream.Builder<Arguments> all = Stream.builder();
    RandomRuns.over(
            ColumnSpec.appendable("{\"chunk_size\": 512}"),
            ColumnSpec.appendable("{\"chunk_size\": 600, \"tail\": 0, \"compression\": \"pglz\"}"),
            ColumnSpec.appendable("{\"leading_key\": \"tenant\"}", ColumnSpec.Key.TENANT),
            ColumnSpec.attachedStock("bytea"),
            ColumnSpec.attachedStock("text"))
        .forEach(all::add);
    // Before version 18 the server computes checksums byte by byte.
    for (Setting setting : Setting.edges()) {
      all.add(
          Arguments.of(
              ColumnSpec.appendable("{\"crc32c\": true, \"chunk_size\": 700}"), setting, 60));
    }
    return all.build();
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void operations_bySqlAndJavaInTurn_matchAByteArray(
      ColumnSpec spec, Setting setting, int operations) throws Exception {
    try (Fixture fx = SqlApi.fixture(setting, spec)) {
      BlobColumn java = PgToaster.create(fx.pool()).blobs(Fixture.TABLE, Fixture.COLUMN);
      RandomRuns.run(
          fx, operations, seed -> new RandomOperations(fx, List.of(fx.own(), java), seed));
    }
    Figures.add(
        "SqlRandomIT#operations_bySqlAndJavaInTurn_matchAByteArray", "operations", operations);
  }
}
