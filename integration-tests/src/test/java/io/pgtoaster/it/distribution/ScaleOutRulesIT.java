package io.pgtoaster.it.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Recorder.Statement;
import io.pgtoaster.it.kit.Setting;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.sql.Connection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the statements meet the requirements of a distributed engine. */
@Tag("ci")
@Tag("turn-0")
@ParameterizedClass(name = "{0}")
@MethodSource("columns")
class ScaleOutRulesIT {
  private static final Pattern STORE_TABLE =
      Pattern.compile("store_\\d+_(head|chunk|piece|token|garbage)");
  private static final Pattern WRITE =
      Pattern.compile("(?i)\\b(INSERT\\s+INTO|UPDATE\\s+\\S+\\s|DELETE\\s+FROM)");

  @Parameter ColumnSpec spec;

  private final Recorder recorder = new Recorder();
  @AutoClose private Fixture fx;

  static Stream<ColumnSpec> columns() {
    return Stream.of(
        ColumnSpec.appendable("{}"),
        ColumnSpec.appendable("{\"leading_key\": \"tenant\"}", ColumnSpec.Key.TENANT),
        ColumnSpec.appendable("{\"crc32c\": true}"),
        ColumnSpec.appendable("{\"tail\": 0}"),
        ColumnSpec.appendable(ColumnSpec.DISTRIBUTED));
  }

  @BeforeEach
  void open() {
    fx = new Fixture(new Setting(PostgresServers.newest(), true), spec);
  }

  private BlobColumn own() {
    return PgToaster.create(recorder.record(fx.pool())).blobs(Fixture.TABLE, Fixture.COLUMN);
  }

  /** Stores chunks, pieces and a tail. */
  private Object stored() {
    Object key = fx.row(Bytes.random(1, 30_000));
    fx.own().append(key, Bytes.random(2, 2000));
    fx.own().append(key, Bytes.random(3, 100));
    return key;
  }

  private void everyCall(BlobColumn blobs, Object key) throws Exception {
    blobs.append(key, Bytes.random(1, 10));
    blobs.append(
        key, Bytes.random(1, 10), AppendOptions.defaults().withExpectedOffset(blobs.length(key)));
    assertThatThrownBy(
            () ->
                blobs.append(
                    key, Bytes.random(1, 10), AppendOptions.defaults().withExpectedOffset(1)))
        .isInstanceOf(OffsetConflictException.class);
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    for (int again = 0; again < 2; again++) {
      blobs.append(key, Bytes.random(1, 20), AppendOptions.defaults().withToken(token));
      blobs.append(key, Bytes.random(1, 20_000), AppendOptions.defaults().withToken(token.next()));
      token = token.next().next();
    }
    for (int size : new int[] {1012, 3000, 3000, 8100, 50_000}) {
      blobs.append(key, Bytes.random(1, size));
    }
    blobs.append(key, new ByteArrayInputStream(Bytes.random(1, 3_000_000)));
    blobs.write(key, 8000, Bytes.random(1, 300));
    blobs.write(key, blobs.length(key) - 5, Bytes.random(1, 300));
    blobs.truncate(key, 100_000);
    blobs.compact(key);
    blobs.read(key, 8000, 300);
    try (InputStream in = blobs.inputStream(key)) {
      in.readAllBytes();
    }
    blobs.replace(key, Bytes.random(1, 20_000));
    blobs.verify(key);
    blobs.seal(key);
    Object empty = fx.row();
    blobs.append(empty, Bytes.random(1, 20_000));
    blobs.copy(key, fx.row());
    blobs.delete(empty);
  }

  @Test
  void twoWritingStatements_neverRunInAutocommit() throws Exception {
    Object key = stored();
    everyCall(own(), key);
    for (Statement s : recorder.statements()) {
      if (s.autoCommit()) {
        assertThat(s.writes()).as("in autocommit: %s", s.sql()).isLessThanOrEqualTo(1);
      }
    }
    Object second = stored();
    try (Connection caller = fx.database().connect()) {
      recorder.clear();
      everyCall(PgToaster.on(recorder.record(caller)).blobs(Fixture.TABLE, Fixture.COLUMN), second);
    }
    for (Statement s : recorder.statements()) {
      if (s.autoCommit()) {
        assertThat(s.writes()).as("in autocommit: %s", s.sql()).isLessThanOrEqualTo(1);
      }
    }
    assertThat(recorder.statements()).anyMatch(s -> s.writes() > 0);
  }

  @Test
  void call_neverAutocommitsSeveralWritingStatements() {
    Object key = stored();
    BlobColumn blobs = own();
    blobs.length(key);
    List<Runnable> calls =
        List.of(
            () -> blobs.append(key, Bytes.random(1, 10)),
            () -> blobs.append(key, Bytes.random(1, 20_000)),
            () ->
                blobs.append(
                    key,
                    Bytes.random(1, 20),
                    AppendOptions.defaults()
                        .withToken(new AppendToken(AppendToken.newWriter(), 1))),
            () -> blobs.append(key, new ByteArrayInputStream(Bytes.random(1, 2_000_000))),
            () -> blobs.write(key, 5, Bytes.random(1, 20_000)),
            () -> blobs.truncate(key, 9000),
            () -> blobs.compact(key),
            () -> blobs.replace(key, Bytes.random(1, 20_000)),
            () -> blobs.append(fx.row(), Bytes.random(1, 20_000)),
            () -> blobs.copy(key, fx.row()),
            () -> blobs.delete(key));
    for (Runnable call : calls) {
      recorder.clear();
      call.run();
      assertThat(recorder.statements().stream().filter(Statement::autoCommit))
          .as("writes in autocommit, %s", recorder.statements())
          .filteredOn(s -> s.writes() > 0)
          .hasSizeLessThanOrEqualTo(1);
    }
  }

  @Test
  void reader_namesItsBlobInEveryStatement() throws Exception {
    Object key = stored();
    try (BlobReader reader = own().open(key)) {
      recorder.clear();
      reader.read(0, new byte[100], 0, 100);
      reader.read(8000, new byte[20_000], 0, 20_000);
      reader.read(32_000, new byte[100], 0, 100);
      try (InputStream in = reader.inputStream()) {
        in.readAllBytes();
      }
    }
    assertThat(recorder.statements()).isNotEmpty();
    recorder.statements().forEach(s -> assertResolved(s.sql()));
  }

  @Test
  void append_namesItsBlobInEveryStatementOnChunks() throws Exception {
    Object key = stored();
    recorder.clear();
    everyCall(own(), key);
    for (Statement s : recorder.statements()) {
      if (s.sql().matches("(?s).*store_\\d+_(chunk|piece|token|garbage).*")) {
        assertResolved(s.sql());
      }
    }
  }

  /**
   * Asserts that each SELECT, UPDATE and DELETE on a table of the store has a condition on the key.
   */
  private void assertResolved(String sql) {
    boolean leading = spec.options().contains("leading_key");
    for (String level : Recorder.levels(sql)) {
      if (!STORE_TABLE.matcher(level).find() || isPlainInsert(level)) {
        continue;
      }
      assertThat(level)
          .as("a query level without the blob's id, of: %s", sql)
          .containsPattern("(?i)\\b(blob_id|id)\\)?\\s*(=|OPERATOR|IN)\\s*(\\?|CAST|\\()?");
      if (leading) {
        assertThat(level)
            .as("a query level without the leading key, of: %s", sql)
            .containsPattern("(?i)leading_key(, h\\.id\\))? (=|OPERATOR\\(pg_catalog\\.=\\))");
      }
    }
  }

  private static boolean isPlainInsert(String level) {
    return WRITE.matcher(level).find()
        && level.strip().toUpperCase(Locale.ROOT).startsWith("INSERT");
  }

  @Test
  void statements_neverCarryMoreThanEightMegabytes() throws Exception {
    Object key = stored();
    BlobColumn blobs = own();
    blobs.append(key, Bytes.random(1, 20_000_000));
    blobs.append(key, new ByteArrayInputStream(Bytes.random(1, 20_000_000)));
    assertThat(recorder.statements())
        .allSatisfy(
            s -> {
              assertThat(s.parameterBytes()).isLessThanOrEqualTo(8L << 20);
              assertThat(s.largestParameter()).isLessThanOrEqualTo(1L << 20);
            });
  }
}
