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
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two rows swap their contents while an append to one of them waits. */
class MovedContentIT {
  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void append_thatWaitedWhileItsRowGotOtherContent_goesToThat(Setting setting) throws Exception {
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      Object key = fx.row(fx.content(1, 700));
      Object other = fx.row(fx.content(2, 900));
      long mine = fx.handle(key);
      long theirs = fx.handle(other);
      Connection mover = fx.begin();
      fx.on(mover).append(key, fx.content(3, 9000));
      Future<AppendResult> append = Wait.start(() -> fx.own().append(key, fx.content(4, 9000)));
      fx.database().awaitLockWaiters(1);
      Sql.run(
          mover,
          "UPDATE item SET content = NULL" + fx.where(key),
          "UPDATE item SET content = " + mine + fx.where(other),
          "UPDATE item SET content = " + theirs + fx.where(key));
      mover.commit();
      assertThat(Wait.get(append).offset()).isEqualTo(900);
      fx.assertContent(key, Bytes.concat(fx.content(2, 900), fx.content(4, 9000)));
      fx.assertContent(other, Bytes.concat(fx.content(1, 700), fx.content(3, 9000)));
      fx.afterTest();
    }
  }
}
