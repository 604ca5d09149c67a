package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * While another call has read the head but not yet a chunk, compaction joins short chunks, which
 * moves their ends.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class ConcurrentCompactIT {
  private static final int PARTS = 20;

  @Parameter Setting setting;

  @AutoClose private Fixture fx;
  private Object key;
  private byte[] content;

  @BeforeEach
  void open() {
    fx = new Fixture(setting, ColumnSpec.appendable("{\"chunk_size\": 512, \"tail\": 0}"));
    content = Bytes.random(1, 200 * PARTS);
    key = fx.row(new byte[0]);
    for (int i = 0; i < PARTS; i++) {
      fx.own().append(key, Bytes.slice(content, 200 * i, 200));
    }
    assertThat(fx.number("SELECT count(*) FROM " + fx.table("chunk"))).isEqualTo(PARTS);
  }

  /** Joins the chunks and appends this many bytes while the call waits for the chunk table. */
  private <T> T besides(int appended, Callable<T> call) throws Exception {
    Connection other = fx.begin();
    Sql.run(other, "LOCK TABLE " + fx.table("chunk") + " IN ACCESS EXCLUSIVE MODE");
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                result.complete(call.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    caller.start();
    fx.database().awaitLockWaiters(1);
    assertThat(fx.on(other).compact(key)).isPositive();
    fx.on(other).append(key, Bytes.random(2, appended));
    other.commit();
    caller.join();
    content = Bytes.concat(content, Bytes.random(2, appended));
    return result.get();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 150, 5_000})
  void copy_whileItsSourceIsCompacted_copiesAll(int appended) throws Exception {
    Object target = fx.row();
    byte[] before = content;
    besides(
        appended,
        () -> {
          fx.own().copy(key, target);
          return true;
        });
    byte[] copied = fx.read(target);
    assertThat(copied).startsWith(before).hasSizeLessThanOrEqualTo(content.length);
    assertThat(content).startsWith(copied);
    assertThat(fx.own().verify(target)).isEmpty();
    fx.assertContent(key, content);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 150, 5_000})
  void verify_whileTheBlobIsCompacted_findsNothing(int appended) throws Exception {
    assertThat(besides(appended, () -> fx.own().verify(key))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 150, 5_000})
  void openReader_whileTheBlobIsCompacted_continues(int appended) throws Exception {
    byte[] before = content;
    byte[] buffer = new byte[before.length];
    try (BlobReader reader = fx.own().open(key)) {
      besides(appended, () -> reader.read(0, buffer, 0, buffer.length));
      assertThat(buffer).isEqualTo(before);
      for (int at = 0; at < before.length; at += 190) {
        byte[] part = new byte[Math.min(400, before.length - at)];
        reader.read(at, part, 0, part.length);
        assertThat(part).isEqualTo(Bytes.slice(before, at, part.length));
      }
    }
  }
}
