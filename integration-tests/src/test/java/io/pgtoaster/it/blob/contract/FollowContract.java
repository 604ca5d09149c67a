package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.blob.FollowTimeoutException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Wait;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Followers, which work like {@code tail -f}. */
public interface FollowContract extends Contract {
  private static Future<byte[]> drain(InputStream in) {
    return Wait.start(
        () -> {
          try (in) {
            return in.readAllBytes();
          }
        });
  }

  @Test
  default void follow_endsWhenTheBlobIsSealed() throws Exception {
    Object key = fx().row(fx().content(1, 9000));
    Future<byte[]> followed = drain(fx().own().follow(key, Options.follow(100, Wait.DEADLINE)));
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    expected.writeBytes(Bytes.slice(fx().content(1, 9000), 100, 8900));
    for (int i = 0; i < 50; i++) {
      byte[] piece = fx().content(i, i % 10 == 0 ? 30_000 : 77);
      fx().own().append(key, piece);
      expected.writeBytes(piece);
    }
    assertThat(followed.isDone()).isFalse();
    fx().own().seal(key);
    assertThat(Wait.get(followed)).isEqualTo(expected.toByteArray());
  }

  @Test
  default void follow_ofASealedBlob_endsAtOnce() throws Exception {
    Object key = fx().row(fx().content(1, 9000));
    fx().own().seal(key);
    assertThat(Wait.get(drain(fx().own().follow(key, Options.follow(0, Wait.DEADLINE)))))
        .isEqualTo(fx().content(1, 9000));
    assertThat(Wait.get(drain(fx().own().follow(key, Options.follow(9000, Wait.DEADLINE)))))
        .isEmpty();
  }

  @Test
  default void follow_fromTheLastLines_startsWithThem() throws Exception {
    Object key = fx().row();
    fx().own().appendText(key, "one\ntwo\nthree\n");
    fx().own().seal(key);
    FollowOptions two = Options.follow(0, Wait.DEADLINE).withLastLines(2);
    assertThat(new String(Wait.get(drain(fx().own().follow(key, two))), StandardCharsets.UTF_8))
        .isEqualTo("two\nthree\n");
  }

  @Test
  default void follow_fromTheLastLinesOfAnEmptyBlob_readsAllAppends() throws Exception {
    Object key = fx().row();
    FollowOptions one = Options.follow(0, Duration.ofMillis(200)).withLastLines(1);
    try (InputStream in = fx().own().follow(key, one)) {
      assertThatThrownBy(in::read).isInstanceOf(FollowTimeoutException.class);
      fx().own().appendText(key, "a\nb\n");
      assertThat(in.read()).isEqualTo('a');
    }
  }

  @Test
  default void follow_seesThePiecesOfACommittingStream() throws Exception {
    Object key = fx().row(new byte[0]);
    byte[] content = fx().content(1, 25_000);
    try (InputStream in = fx().own().follow(key, Options.follow(0, Wait.DEADLINE));
        BlobAppendStream stream = fx().own().appendStream(key, Options.commitEvery(5000))) {
      for (int at = 0; at < content.length; at += 5000) {
        stream.write(content, at, 5000);
        stream.flush();
        int from = at;
        assertThat(Wait.get(Wait.start(() -> in.readNBytes(5000))))
            .isEqualTo(Bytes.slice(content, from, 5000));
      }
    }
  }

  @Test
  default void follow_whileCompacted_losesNothing() throws Exception {
    Object key = fx().row(new byte[0]);
    Future<byte[]> followed = drain(fx().own().follow(key, Options.follow(0, Wait.DEADLINE)));
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < 60; i++) {
      byte[] piece = fx().content(i, 1 + 97 * i);
      fx().own().append(key, piece);
      expected.writeBytes(piece);
      if (i % 7 == 0) {
        fx().own().compact(key);
      }
    }
    fx().own().seal(key);
    assertThat(Wait.get(followed)).isEqualTo(expected.toByteArray());
  }

  @ParameterizedTest
  @ValueSource(strings = {"truncate", "delete", "replace", "delete row"})
  default void follow_ofABlobThatIsRemoved_throwsATypedException(String how) throws Exception {
    Object key = fx().row(fx().content(1, 9000));
    InputStream in = fx().own().follow(key, Options.follow(0, Wait.DEADLINE));
    assertThat(in.readNBytes(9000)).hasSize(9000);
    Future<byte[]> rest = drain(in);
    switch (how) {
      case "truncate" -> fx().own().truncate(key, 10);
      case "delete" -> fx().own().delete(key);
      case "replace" -> fx().own().replace(key, fx().content(2, 20_000));
      default -> fx().run("DELETE FROM item" + fx().where(key));
    }
    Expect.failed(PgToasterException.class, () -> Wait.get(rest));
  }

  @Test
  default void follow_fromBeyondTheEnd_throwsATypedException() {
    Object key = fx().row(fx().content(1, 9000));
    Expect.failed(
        PgToasterException.class,
        () -> {
          try (InputStream in = fx().own().follow(key, Options.follow(9001, Wait.DEADLINE))) {
            Wait.get(Wait.start(in::read));
          }
        });
  }

  @Test
  default void follow_withATimeout_timesOut() {
    Object key = fx().row(fx().content(1, 10));
    assertThatThrownBy(
            () -> {
              try (InputStream in =
                  fx().own().follow(key, Options.follow(0, Duration.ofMillis(200)))) {
                Wait.get(Wait.start(in::readAllBytes));
              }
            })
        .isInstanceOf(FollowTimeoutException.class);
  }

  @Test
  default void follow_holdsNoConnectionWhileItWaits() throws Exception {
    Object key = fx().row(fx().content(1, 10));
    try (HikariDataSource pool = fx().database().pool(1)) {
      BlobColumn blobs = PgToaster.create(pool).blobs(Fixture.TABLE, Fixture.COLUMN);
      Future<byte[]> one = drain(blobs.follow(key, Options.follow(0, Wait.DEADLINE)));
      Future<byte[]> two = drain(blobs.follow(key, Options.follow(5, Wait.DEADLINE)));
      for (int i = 0; i < 20; i++) {
        blobs.append(key, fx().content(i, 500));
      }
      blobs.seal(key);
      assertThat(Wait.get(one)).hasSize(10_010);
      assertThat(Wait.get(two)).hasSize(10_005);
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  @Test
  default void follow_whenClosed_throws() throws Exception {
    Object key = fx().row(fx().content(1, 10));
    InputStream in = fx().own().follow(key, Options.follow(0, Wait.DEADLINE));
    assertThat(in.readNBytes(10)).hasSize(10);
    Future<Integer> waiting = Wait.start(in::read);
    in.close();
    assertThatThrownBy(() -> Wait.get(waiting)).isInstanceOf(IOException.class);
    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  default void follow_insideASnapshot_isRefused(int isolation) throws Exception {
    Object key = fx().row(fx().content(1, 10));
    Connection connection = fx().begin(isolation);
    Expect.failed(
        PgToasterException.class,
        () -> {
          try (InputStream in =
              fx().on(connection).follow(key, Options.follow(0, Duration.ofSeconds(2)))) {
            in.readAllBytes();
          }
        });
    connection.rollback();
  }

  @Test
  default void follow_ofANullColumnFromBeyondItsLaterContent_throwsATypedException()
      throws Exception {
    Object key = fx().row();
    InputStream in = fx().own().follow(key, Options.follow(9001, Wait.DEADLINE));
    Future<Integer> read = Wait.start(in::read);
    fx().own().append(key, fx().content(1, 9000));
    Expect.failed(PgToasterException.class, () -> Wait.get(read));
    in.close();
  }
}
