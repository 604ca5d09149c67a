package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content can be created before the row that references it. */
public interface HandleContract extends Contract {
  private long heads() {
    return fx().number("SELECT count(*) FROM " + fx().table("head"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 30_000})
  default void handleInsertedWithItsRow_refersToTheContent(int size) throws Exception {
    for (BlobColumn blobs : fx().executorsOn(fx().begin())) {
      Connection connection = fx().begin();
      Object key = fx().unknownKey();
      long handle = blobs.on(connection).create();
      Sql.run(connection, fx().insert(key, Fixture.COLUMN, handle));
      blobs.on(connection).append(key, fx().content(1, size));
      connection.commit();
      fx().assertContent(key, fx().content(1, size));
      assertThat(fx().handle(key)).isEqualTo(handle);
      fx().own().append(key, fx().content(2, 500));
      assertThat(fx().own().length(key)).isEqualTo(size + 500L);
    }
  }

  @Test
  default void createdContent_isAnEmptyBlob_notNull() throws Exception {
    Connection connection = fx().begin();
    Object key = fx().unknownKey();
    long handle = fx().on(connection).create();
    Sql.run(connection, fx().insert(key, Fixture.COLUMN, handle));
    connection.commit();
    assertThat(fx().own().info(key)).hasValueSatisfying(i -> assertThat(i.length()).isZero());
    assertThat(fx().own().read(key, 0, 10)).isEmpty();
    fx().assertContent(key, new byte[0]);
  }

  @Test
  default void manyHandles_areCreatedAtOnceAndAreDistinct() throws Exception {
    long before = heads();
    Connection connection = fx().begin();
    long[] handles = fx().on(connection).create(100);
    assertThat(handles).hasSize(100).doesNotHaveDuplicates();
    for (long handle : handles) {
      Sql.run(connection, fx().insert(fx().unknownKey(), Fixture.COLUMN, handle));
    }
    connection.commit();
    assertThat(heads()).isEqualTo(before + 100);
    assertThat(fx().on(connection).create(0)).isEmpty();
    Expect.refused(InvalidOffsetException.class, () -> fx().on(connection).create(-1));
  }

  @Test
  default void create_inATransactionThatIsRolledBack_leavesNothing() throws Exception {
    long before = heads();
    Connection connection = fx().begin();
    fx().on(connection).create(3);
    connection.rollback();
    assertThat(heads()).isEqualTo(before);
  }

  @Test
  default void create_outsideTransaction_isRefused() {
    long before = heads();
    for (BlobColumn blobs : fx().executors()) {
      Expect.refused(TransactionRequiredException.class, blobs::create);
      Expect.refused(TransactionRequiredException.class, () -> blobs.create(0));
    }
    Expect.refused(TransactionRequiredException.class, () -> fx().on(fx().connect()).create());
    assertThat(heads()).isEqualTo(before);
  }

  @Test
  default void createdContentWithoutARow_isRemovedByGcAfterTheGracePeriod() throws Exception {
    Connection connection = fx().begin();
    long handle = fx().on(connection).create();
    connection.commit();
    Options.collect(fx().database(), Duration.ofHours(1), Duration.ofDays(7));
    assertThat(fx().storedRows(handle)).isEqualTo(1);
    Options.collect(fx().database());
    assertThat(fx().storedRows(handle)).isZero();
  }

  @Test
  default void gc_keepsContentWhoseRowIsNotInsertedYet() throws Exception {
    Connection connection = fx().begin();
    long handle = fx().on(connection).create();
    Options.collect(fx().database());
    Object key = fx().unknownKey();
    Sql.run(connection, fx().insert(key, Fixture.COLUMN, handle));
    connection.commit();
    fx().own().append(key, fx().content(1, 100));
    fx().assertContent(key, fx().content(1, 100));
  }
}
