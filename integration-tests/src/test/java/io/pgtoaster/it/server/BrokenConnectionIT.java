package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobAppend;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A connection breaks at any message of a call. The call throws a typed exception and takes effect
 * completely or not at all.
 */
@Tag("ci")
@Tag("turn-2")
@ParameterizedClass(name = "{1}, {0}")
@MethodSource("columns")
class BrokenConnectionIT {
  private static final int MOST_MESSAGES = 300;
  private static final AppendToken TOKEN = new AppendToken(AppendToken.newWriter(), 1);

  /** A call that changes content. */
  enum Call {
    SMALL_APPEND(b -> b.append(1L, Bytes.text(9, 10))),
    PIECE_APPEND(b -> b.append(1L, Bytes.text(9, 2000))),
    CHUNK_APPEND(b -> b.append(1L, Bytes.text(9, 10_000))),
    BIG_APPEND(b -> b.append(1L, Bytes.text(9, 1_500_000))),
    TOKEN_APPEND(
        b -> b.append(1L, Bytes.text(9, 20_000), AppendOptions.defaults().withToken(TOKEN))),
    WRITER_STREAM(
        b -> {
          try (BlobAppendStream out =
              b.appendStream(1L, StreamOptions.defaults().withWriter(TOKEN.writer()))) {
            out.write(Bytes.text(9, 20_000));
          } catch (IOException e) {
            throw e.getCause() instanceof PgToasterException p ? p : new UncheckedIOException(e);
          }
        }),
    APPEND_ALL(b -> b.appendAll(Map.of(1L, Bytes.text(9, 100), 2L, Bytes.text(9, 20_000)))),
    APPEND_EACH(
        b ->
            b.appendEach(
                Map.of(
                    1L, new BlobAppend(Bytes.text(9, 20_000), AppendOptions.defaults()),
                    7L, new BlobAppend(Bytes.text(9, 100), AppendOptions.defaults())))),
    FIRST_APPEND(b -> b.append(2L, Bytes.text(9, 20_000))),
    STREAM(b -> b.append(1L, new ByteArrayInputStream(Bytes.text(9, 1_500_000)))),
    WRITE(b -> b.write(1L, 5000, Bytes.text(9, 20_000))),
    TRUNCATE(b -> b.truncate(1L, 9000)),
    REPLACE(b -> b.replace(1L, Bytes.text(9, 20_000))),
    COPY(b -> b.copy(1L, 2L)),
    DELETE(b -> b.delete(1L)),
    COMPACT(b -> b.compact(1L)),
    SEAL(b -> b.seal(1L));

    @SuppressWarnings("ImmutableEnumChecker")
    private final Step step;

    Call(Step step) {
      this.step = step;
    }

    /**
     * Runs every call on the default store, and on other stores only the calls that use different
     * code.
     */
    boolean fits(ColumnSpec spec) {
      boolean everywhere = this == BIG_APPEND || this == FIRST_APPEND;
      return "{}".equals(spec.options())
          || everywhere
          || (!spec.hasStore() && (this == SMALL_APPEND || this == WRITE || this == STREAM));
    }
  }

  interface Step {
    void apply(BlobColumn blobs);
  }

  /** The content of two rows. */
  @SuppressWarnings("ArrayRecordComponent")
  private record State(byte[] first, byte[] second, boolean sealed) {
    boolean holds(long key) {
      return (key == 1 ? first : second) != null;
    }

    boolean same(State other) {
      return Arrays.equals(first, other.first)
          && Arrays.equals(second, other.second)
          && sealed == other.sealed;
    }
  }

  @Parameter(0)
  ColumnSpec spec;

  @Parameter(1)
  Call call;

  private Fixture fx;
  private Cuts cuts;

  /** The content after the last cut, or null if it is not known. */
  private State known;

  static Stream<Arguments> columns() {
    return Stream.of(
            ColumnSpec.appendable("{}"),
            ColumnSpec.appendable("{\"crc32c\": true}"),
            ColumnSpec.stock("bytea"))
        .flatMap(
            spec ->
                Arrays.stream(Call.values())
                    .filter(call -> call.fits(spec))
                    .map(call -> Arguments.of(spec, call)));
  }

  @BeforeEach
  void open() throws Exception {
    fx = new Fixture(new Setting(PostgresServers.newest(), true), spec);
    cuts = new Cuts(fx.database());
  }

  @AfterEach
  void close() throws Exception {
    cuts.close();
    fx.close();
  }

  private void rows() {
    fx.run("DELETE FROM item", "INSERT INTO item (id) VALUES (1), (2)");
    fx.own().append(1L, Bytes.text(1, 20_000));
    for (int i = 0; i < 5; i++) {
      fx.own().append(1L, Bytes.text(i, 700));
    }
  }

  private static BlobColumn blobs(PgToaster toaster) {
    return toaster.blobs(Fixture.TABLE, Fixture.COLUMN);
  }

  private State state() {
    return new State(content(1), content(2), fx.own().info(1L).map(i -> i.sealed()).orElse(false));
  }

  private byte[] content(long key) {
    return fx.own().info(key).isEmpty() ? null : fx.read(key);
  }

  @Test
  void connectionCutAtAnyMessage_leavesNothingHalfDone() {
    rows();
    State before = state();
    call.step.apply(fx.own());
    State after = state();
    int cuts = Cuts.atEachMessage(MOST_MESSAGES, (m, d) -> runCutAt(m, d, before, after));
    Figures.add("BrokenConnectionIT#connectionCutAtAnyMessage_leavesNothingHalfDone", "cuts", cuts);
  }

  /** Returns false if the call ended before that message. */
  private boolean runCutAt(int message, boolean delivered, State before, State after) {
    String where = call + " cut at message " + message + (delivered ? ", delivered" : "");
    if (known == null || !known.same(before)) {
      rows();
    }
    Cuts.Cut cut =
        cuts.run(
            message,
            delivered,
            toaster -> blobs(toaster).length(2L),
            toaster -> call.step.apply(blobs(toaster)));
    PgToasterException thrown = cut.thrown();
    known = null;
    State now = state();
    for (long key = 1; key <= 2; key++) {
      if (now.holds(key)) {
        assertThat(fx.own().verify(key)).as(where).isEmpty();
      }
    }
    assertThat(fx.orphans()).as(where).isEmpty();
    if (thrown == null) {
      assertThat(now.same(after)).as("%s: reported as done, but is not", where).isTrue();
      return cut.hit();
    }
    assertThat(thrown)
        .as(where)
        .isInstanceOfAny(ConnectionLostException.class, OutcomeUnknownException.class);
    assertThat(thrown.sqlState()).as(where).startsWith("08");
    if (thrown instanceof ConnectionLostException) {
      assertThat(now.same(before)).as("%s: reported as not done, but is", where).isTrue();
    } else {
      assertThat(now.same(before) || now.same(after)).as("%s: half done", where).isTrue();
    }
    if (call == Call.TOKEN_APPEND) {
      boolean landed = now.same(after);
      assertThat(
              fx.own()
                  .append(1L, Bytes.text(9, 20_000), AppendOptions.defaults().withToken(TOKEN))
                  .repeated())
          .as(where)
          .isEqualTo(landed);
      assertThat(state().same(after)).as(where).isTrue();
    } else {
      known = now;
    }
    return true;
  }
}
