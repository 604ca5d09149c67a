package io.pgtoaster.it.jsonb.locking;

import static io.pgtoaster.it.kit.Session.doing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Session.Step;
import io.pgtoaster.it.kit.Setting;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** If each edit updates the owner's row, it locks that row first. */
class TouchedRowIT {
  private static final List<String> PATHS = List.of("list[2].t", "map.k040.t", "n", "text");

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void editsInOppositeOrder_queue_evenWithoutALock(Setting setting) throws Exception {
    try (DocumentFixture fx =
        new DocumentFixture(setting, DocumentSpec.keyed("{\"touch\": \"row\"}"))) {
      Object key = fx.row(Writes.document(0, 60));
      Session a = new Session(fx, "A", Connection.TRANSACTION_READ_COMMITTED, false);
      Session b = new Session(fx, "B", Connection.TRANSACTION_READ_COMMITTED, false);
      for (String first : PATHS) {
        for (String second : PATHS) {
          a.runs(doing(d -> d.at(key, first).set("by A")));
          Step<Boolean> other = b.waits(doing(d -> d.at(key, second).set("by B")), a);
          a.runs(doing(d -> d.at(key, second).set("by A")));
          a.commits();
          assertThat(other.continues()).isTrue();
          b.runs(doing(d -> d.at(key, first).set("by B")));
          b.commits();
          assertThat(fx.own().at(key, first).text()).contains("\"by B\"");
        }
      }
      assertThat(fx.own().verify(key)).isEmpty();
      fx.afterTest();
    }
  }

  /** A trigger skips the row: neither the row nor its content changes. */
  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void editOfARowThatATriggerSkips_changesNothing(Setting setting) throws Exception {
    try (DocumentFixture fx =
        new DocumentFixture(setting, DocumentSpec.keyed("{\"touch\": \"row\"}"))) {
      Object key = fx.row(Writes.document(0, 60));
      long before = fx.own().at(key, "list").size().orElseThrow();
      fx.run(
          "CREATE TRIGGER skip BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION"
              + " suppress_redundant_updates_trigger()");
      assertThatThrownBy(() -> fx.documents().at(key, "list").append("new"))
          .isInstanceOf(PgToasterException.class);
      assertThat(fx.own().at(key, "list").size()).hasValue(before);
      fx.afterTest();
    }
  }
}
