package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.BatchException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Wait;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Content that can no longer change. */
public interface SealContract extends Contract {
  @Test
  default void seal_refusesEveryChange() {
    for (int size : new int[] {0, 5, 9000}) {
      Object key = fx().row(fx().content(1, size));
      BlobColumn blobs = fx().blobs();
      blobs.seal(key);
      byte[] more = fx().content(2, 3);
      byte[] much = fx().content(2, 30_000);
      Expect.refused(BlobSealedException.class, () -> blobs.append(key, more));
      Expect.refused(BlobSealedException.class, () -> blobs.append(key, much));
      Expect.refused(BatchException.class, () -> blobs.appendAll(Map.of(key, more)));
      Expect.refused(
          BlobSealedException.class, () -> blobs.append(key, new ByteArrayInputStream(much)));
      Expect.refused(BlobSealedException.class, () -> blobs.write(key, 0, more));
      Expect.refused(BlobSealedException.class, () -> blobs.truncate(key, 0));
      Expect.refused(BlobSealedException.class, () -> blobs.replace(key, more));
      Expect.failed(
          BlobSealedException.class,
          () -> {
            try (var stream = fx().own().appendStream(key)) {
              stream.write(1);
            }
          });
      fx().assertContent(key, fx().content(1, size));
    }
  }

  @Test
  default void seal_isVisible_andCanBeRepeated() {
    Object key = fx().row(fx().content(1, 9000));
    fx().blobs().seal(key);
    fx().blobs().seal(key);
    assertThat(fx().blobs().info(key).orElseThrow().sealed()).isTrue();
    try (BlobReader reader = fx().blobs().open(key)) {
      assertThat(reader.sealed()).isTrue();
    }
    fx().assertContent(key, fx().content(1, 9000));
  }

  @Test
  default void seal_whileAppendsWait_refusesThemAll() throws Exception {
    Object key = fx().row(fx().content(1, 50));
    Connection connection = fx().begin();
    fx().on(connection).seal(key);
    List<Future<AppendResult>> appends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      appends.add(Wait.start(() -> fx().own().append(key, fx().content(2, 10))));
    }
    fx().database().awaitLockWaiters(1);
    connection.commit();
    for (Future<AppendResult> append : appends) {
      Expect.refused(BlobSealedException.class, () -> Wait.get(append));
    }
    fx().assertContent(key, fx().content(1, 50));
  }

  @Test
  default void seal_ofNullOrAnUnknownRow_isRefused() {
    Expect.refused(BlobNotFoundException.class, () -> fx().blobs().seal(fx().row()));
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().seal(fx().unknownKey()));
  }

  @Test
  default void sealedContent_canBeCompactedCopiedAndDeleted() {
    Object key = fx().row();
    for (int i = 0; i < 100; i++) {
      fx().own().append(key, fx().content(i, 100));
    }
    byte[] content = fx().read(key);
    fx().blobs().seal(key);
    fx().blobs().compact(key);
    fx().assertContent(key, content);
    Object copy = fx().row();
    fx().blobs().copy(key, copy);
    fx().assertContent(copy, content);
    assertThat(fx().blobs().delete(key)).isTrue();
    assertThat(fx().blobs().info(key)).isEmpty();
  }
}
