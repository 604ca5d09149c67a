package io.pgtoaster.benchmarks.trial;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.pgtoaster.benchmarks.server.Counters;
import org.junit.jupiter.api.Test;

class ChecksTest {
  @Test
  void writeThatIsNotLogged_fails() {
    assertThatIllegalStateException().isThrownBy(() -> Checks.written(new Counters(0, 8)));
    assertThatCode(() -> Checks.written(new Counters(1, 8))).doesNotThrowAnyException();
  }

  @Test
  void mixWithoutChanges_fails() {
    assertThatIllegalStateException().isThrownBy(() -> Checks.changed(0));
    assertThatCode(() -> Checks.changed(1)).doesNotThrowAnyException();
  }

  @Test
  void queryWithAnotherPlan_fails() {
    assertThatCode(() -> Checks.plan("q", "Index Scan using docs_pkey on docs", "Index Scan"))
        .doesNotThrowAnyException();
    assertThatIllegalStateException()
        .isThrownBy(() -> Checks.plan("q", "Seq Scan on docs", "Index Scan"))
        .withMessageContaining("Index Scan was expected of q");
    assertThatIllegalStateException()
        .isThrownBy(() -> Checks.plan("q", "Gather\n  -> Parallel Seq Scan on docs", "Seq Scan"));
  }
}
