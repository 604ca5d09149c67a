package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.FailingInput;
import io.pgtoaster.it.kit.Gate;
import io.pgtoaster.it.kit.Wait;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appends of a stream in one transaction. */
public interface AtomicStreamContract extends Contract {
  @Test
  default void append_ofAStreamOfEverySize_isReadBack() {
    Bytes.boundaries()
        .forEach(
            size -> {
              Object key = fx().row(fx().content(1, 700));
              InputStream in = new ByteArrayInputStream(fx().content(size, size));
              assertThat(fx().blobs().append(key, in))
                  .isEqualTo(new AppendResult(700, size, false));
              fx().assertContent(key, Bytes.concat(fx().content(1, 700), fx().content(size, size)));
            });
  }

  @Test
  default void append_ofALargeStream_isReadBack() {
    Object key = fx().row();
    byte[] content = fx().content(1, 9_999_999);
    fx().blobs().append(key, new ByteArrayInputStream(content));
    fx().assertContent(key, content);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5000, 3_000_000})
  default void append_ofAStreamThatFails_leavesNothing(int good) {
    for (Object key : new Object[] {fx().row(), fx().row(fx().content(1, 700))}) {
      boolean there = fx().own().info(key).isPresent();
      InputStream in = FailingInput.after(fx().content(2, good));
      assertThatThrownBy(() -> fx().blobs().append(key, in))
          .hasRootCauseMessage(FailingInput.MESSAGE);
      assertThat(fx().own().info(key).isPresent()).isEqualTo(there);
      if (there) {
        fx().assertContent(key, fx().content(1, 700));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 3_000_000})
  default void append_ofAStreamAtWrongOffset_isRefusedAndNothingChanges(int size) {
    Object key = fx().row(fx().content(1, 700));
    InputStream in = new ByteArrayInputStream(fx().content(2, size));
    AppendOptions options = AppendOptions.defaults().withExpectedOffset(699);
    Expect.conflict(700, () -> fx().blobs().append(key, in, options));
    fx().assertContent(key, fx().content(1, 700));
  }

  @Test
  default void append_ofAStream_isInvisibleUntilItsEnd() throws Exception {
    Object key = fx().row(fx().content(1, 700));
    byte[] more = fx().content(2, 5_000_000);
    Gate gate = new Gate(new ByteArrayInputStream(more), 4_000_000);
    Future<AppendResult> append = Wait.start(() -> fx().own().append(key, gate));
    gate.awaitReached();
    fx().assertContent(key, fx().content(1, 700));
    gate.open();
    assertThat(Wait.get(append).end()).isEqualTo(700 + 5_000_000);
    fx().assertContent(key, Bytes.concat(fx().content(1, 700), more));
  }

  @Test
  default void append_duringAStream_waitsForItsEnd() throws Exception {
    Object key = fx().row(fx().content(1, 700));
    byte[] more = fx().content(2, 5_000_000);
    Gate gate = new Gate(new ByteArrayInputStream(more), 4_000_000);
    Future<AppendResult> stream = Wait.start(() -> fx().own().append(key, gate));
    gate.awaitReached();
    Future<AppendResult> other = Wait.start(() -> fx().own().append(key, fx().content(3, 10)));
    fx().database().awaitLockWaiters(1);
    gate.open();
    assertThat(Wait.get(stream).offset()).isEqualTo(700);
    assertThat(Wait.get(other).offset()).isEqualTo(700 + 5_000_000);
  }
}
