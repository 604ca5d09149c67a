package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.BlobAppend;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.TokenMismatchException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Wait;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retried appends. */
public interface TokenContract extends Contract {
  private static AppendOptions with(AppendToken token) {
    return AppendOptions.defaults().withToken(token);
  }

  private static AppendToken first() {
    return new AppendToken(AppendToken.newWriter(), 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1012, 8100, 30_000})
  default void repeatedToken_isAlreadyApplied(int length) {
    Object key = fx().row(fx().content(1, 50));
    BlobColumn blobs = fx().blobs();
    AppendToken token = first();
    assertThat(blobs.append(key, fx().content(2, length), with(token)))
        .isEqualTo(new AppendResult(50, length, false));
    assertThat(blobs.append(key, fx().content(2, length), with(token)))
        .isEqualTo(new AppendResult(50, length, true));
    fx().assertContent(key, Bytes.concat(fx().content(1, 50), fx().content(2, length)));
  }

  @Test
  default void repeatedTokensOfABatch_areAlreadyApplied() {
    Map<Object, BlobAppend> batch = new LinkedHashMap<>();
    for (int size : new int[] {1, 100, 8100, 70_000}) {
      batch.put(
          fx().row(fx().content(1, 50)), new BlobAppend(fx().content(2, size), with(first())));
    }
    fx().blobs().appendEach(batch).values().forEach(AppendOutcome::orElseThrow);
    Map<Object, AppendOutcome> again = fx().blobs().appendEach(batch);
    batch.forEach(
        (key, append) -> {
          assertThat(again.get(key).orElseThrow())
              .isEqualTo(new AppendResult(50, append.bytes().length, true));
          fx().assertContent(key, Bytes.concat(fx().content(1, 50), append.bytes()));
        });
  }

  @Test
  default void repeatedTokenOfAFirstAppend_isAlreadyApplied() {
    Object key = fx().row();
    AppendToken token = first();
    fx().blobs().append(key, fx().content(1, 9), with(token));
    assertThat(fx().blobs().append(key, fx().content(1, 9), with(token)))
        .isEqualTo(new AppendResult(0, 9, true));
    fx().assertContent(key, fx().content(1, 9));
  }

  @Test
  default void repeatedToken_afterManyOtherAppends_isAlreadyAppliedAtItsOffset() {
    Object key = fx().row(fx().content(1, 50));
    BlobColumn blobs = fx().blobs();
    AppendToken token = first();
    blobs.append(key, fx().content(2, 70), with(token));
    AppendToken other = first();
    for (int i = 0; i < 1000; i++) {
      blobs.append(key, fx().content(i, 3), i % 10 == 0 ? with(other) : AppendOptions.defaults());
      other = i % 10 == 0 ? other.next() : other;
    }
    assertThat(blobs.append(key, fx().content(2, 70), with(token)))
        .isEqualTo(new AppendResult(50, 70, true));
    assertThat(blobs.length(key)).isEqualTo(50 + 70 + 3000);
  }

  @Test
  default void token_withAnotherLength_isRefusedAndNothingChanges() {
    Object key = fx().row();
    AppendToken token = first();
    fx().blobs().append(key, fx().content(1, 9), with(token));
    for (int other : new int[] {0, 8, 10, 9000}) {
      Expect.refused(
          TokenMismatchException.class,
          () -> fx().blobs().append(key, fx().content(1, other), with(token)));
    }
    fx().assertContent(key, fx().content(1, 9));
  }

  @Test
  default void nextToken_isApplied() {
    Object key = fx().row();
    AppendToken token = first();
    for (int i = 0; i < 5; i++, token = token.next()) {
      assertThat(fx().blobs().append(key, fx().content(i, 9), with(token)))
          .isEqualTo(new AppendResult(9L * i, 9, false));
    }
    assertThat(fx().blobs().length(key)).isEqualTo(45);
  }

  @Test
  default void token_olderThanTheLast_isUnknownAndNeverApplied() {
    Object key = fx().row();
    AppendToken token = first();
    fx().blobs().append(key, fx().content(1, 9), with(token));
    fx().blobs().append(key, fx().content(2, 9), with(token.next()));
    Expect.refused(
        OutcomeUnknownException.class,
        () -> fx().blobs().append(key, fx().content(1, 9), with(token)));
    assertThat(fx().blobs().length(key)).isEqualTo(18);
  }

  @Test
  default void token_ofAForgottenWriter_isUnknownAndNeverApplied() {
    Object key = fx().row();
    AppendToken token = first();
    fx().blobs().append(key, fx().content(1, 9), with(token));
    Options.collect(fx().database(), Duration.ofHours(1), Duration.ZERO);
    assertThat(
            fx().number(
                    "SELECT count(*) FROM "
                        + fx().table("token")
                        + " WHERE blob_id = "
                        + fx().handle(key)))
        .as("tokens that gc left")
        .isZero();
    Expect.refused(
        OutcomeUnknownException.class,
        () -> fx().blobs().append(key, fx().content(1, 9), with(token)));
    Expect.refused(
        OutcomeUnknownException.class,
        () -> fx().blobs().append(key, fx().content(1, 20_000), with(token.next())));
    fx().assertContent(key, fx().content(1, 9));
    assertThat(fx().blobs().append(key, fx().content(2, 9), with(first())).repeated()).isFalse();
  }

  @Test
  default void token_ofAFixedWriter_isNeverForgotten() {
    Object key = fx().row();
    AppendToken token = new AppendToken(UUID.nameUUIDFromBytes(new byte[] {1}), 1);
    fx().blobs().append(key, fx().content(1, 9), with(token));
    Options.collect(fx().database(), Duration.ofHours(1), Duration.ZERO);
    assertThat(fx().blobs().append(key, fx().content(1, 9), with(token)).repeated()).isTrue();
    fx().assertContent(key, fx().content(1, 9));
  }

  @Test
  default void token_onTwoBlobs_isAppliedToEach() {
    AppendToken token = first();
    for (Object key : new Object[] {fx().row(), fx().row()}) {
      assertThat(fx().blobs().append(key, fx().content(1, 9), with(token)).repeated()).isFalse();
    }
  }

  @Test
  default void token_ofAConflict_isNotUsedUp() {
    Object key = fx().row(fx().content(1, 5));
    AppendToken token = first();
    Expect.conflict(
        5, () -> fx().blobs().append(key, fx().content(2, 5), with(token).withExpectedOffset(4)));
    assertThat(
            fx().blobs()
                .append(key, fx().content(2, 5), with(token).withExpectedOffset(5))
                .repeated())
        .isFalse();
    assertThat(fx().blobs().append(key, fx().content(2, 5), with(token).withExpectedOffset(5)))
        .isEqualTo(new AppendResult(5, 5, true));
    assertThat(fx().blobs().length(key)).isEqualTo(10);
  }

  @Test
  default void repeatedToken_ofAStream_isAlreadyApplied() {
    Object key = fx().row();
    AppendToken token = first();
    byte[] content = fx().content(1, 3_000_000);
    AppendOptions options = with(token);
    assertThat(fx().blobs().append(key, new ByteArrayInputStream(content), options).repeated())
        .isFalse();
    assertThat(fx().blobs().append(key, new ByteArrayInputStream(content), options))
        .isEqualTo(new AppendResult(0, content.length, true));
    fx().assertContent(key, content);
  }

  @Test
  default void token_ofARolledBackAppend_isRolledBackWithIt() throws Exception {
    Object key = fx().row(fx().content(1, 5));
    AppendToken token = first();
    Connection connection = fx().begin();
    fx().on(connection).append(key, fx().content(2, 5), with(token));
    connection.rollback();
    assertThat(fx().blobs().append(key, fx().content(2, 5), with(token)))
        .isEqualTo(new AppendResult(5, 5, false));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void token_whileItsFirstAttemptIsUncommitted_waitsForTheOutcome(boolean commits)
      throws Exception {
    for (Object key : new Object[] {fx().row(), fx().row(fx().content(1, 5))}) {
      long before = fx().own().length(key);
      AppendToken token = first();
      Connection lost = fx().begin();
      fx().on(lost).append(key, fx().content(2, 70), with(token));
      BlobColumn blobs = fx().blobs();
      Future<AppendResult> retry =
          Wait.start(() -> blobs.append(key, fx().content(2, 70), with(token)));
      fx().database().awaitLockWaiters(1);
      if (commits) {
        lost.commit();
      } else {
        lost.rollback();
      }
      assertThat(Wait.get(retry))
          .isEqualTo(
              commits ? new AppendResult(before, 70, true) : new AppendResult(before, 70, false));
      assertThat(fx().own().length(key)).isEqualTo(before + 70);
    }
  }

  @Test
  default void appendStream_withTheWriterOfAnotherStream_conflictsInsteadOfLosingBytes()
      throws Exception {
    Object key = fx().row();
    StreamOptions options =
        Options.commitEvery(10_000).withExpectedOffset(0).withWriter(AppendToken.newWriter());
    try (BlobAppendStream first = fx().blobs().appendStream(key, options)) {
      first.write(fx().content(1, 700));
    }
    fx().own().append(key, fx().content(2, 50));
    BlobAppendStream second = fx().blobs().appendStream(key, options);
    second.write(fx().content(3, 700));
    assertThat(Expect.conflict(750, second::flush).expected()).isZero();
    second.abort();
    fx().assertContent(key, Bytes.concat(fx().content(1, 700), fx().content(2, 50)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2_999_999, 3_000_001, 5_000_000})
  default void token_ofAStream_withAnotherLength_isRefused(int other) {
    Object key = fx().row();
    AppendOptions options = with(first());
    byte[] content = fx().content(1, 3_000_000);
    fx().blobs().append(key, new ByteArrayInputStream(content), options);
    Expect.refused(
        TokenMismatchException.class,
        () -> fx().blobs().append(key, new ByteArrayInputStream(fx().content(2, other)), options));
    fx().assertContent(key, content);
  }
}
