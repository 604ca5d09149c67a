package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two rows swap their contents while an append to one of them waits. */
class MovedContentIT {
  @ParameterizedTest
  @CsvSource({
    "9000, 9000, false", "9000, 9000, true",
    "10, 10, false", "10, 10, true",
    "300, 100, false", "300, 100, true"
  })
  void append_thatWaitedWhileItsRowGotOtherContent_appendsToThatContent(
      int moved, int size, boolean batch) throws Exception {
    Setting setting = Setting.newest().get(0);
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      Object key = fx.row(fx.content(1, 700));
      Object other = fx.row(fx.content(2, 900));
      long mine = fx.handle(key);
      long theirs = fx.handle(other);
      Connection mover = fx.begin();
      fx.on(mover).append(key, fx.content(3, moved));
      byte[] bytes = fx.content(4, size);
      Future<AppendResult> append =
          Wait.start(
              () ->
                  batch
                      ? fx.own().appendAll(Map.of(key, bytes)).get(key)
                      : fx.own().append(key, bytes));
      fx.database().awaitLockWaiters(1);
      Sql.run(
          mover,
          "UPDATE item SET content = NULL" + fx.where(key),
          "UPDATE item SET content = " + mine + fx.where(other),
          "UPDATE item SET content = " + theirs + fx.where(key));
      mover.commit();
      assertThat(Wait.get(append).offset()).isEqualTo(900);
      fx.assertContent(key, Bytes.concat(fx.content(2, 900), bytes));
      fx.assertContent(other, Bytes.concat(fx.content(1, 700), fx.content(3, moved)));
      fx.afterTest();
    }
  }
}
