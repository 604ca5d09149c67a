package io.pgtoaster.it.hibernate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.hibernate.kit.Cost;
import io.pgtoaster.it.hibernate.report.Contender.Flush;
import io.pgtoaster.it.kit.Setting;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the mappings for a change of one key and for a flush without changes. With the property
 * pgtoaster.test.mappings=all, the document has 4 MB, and CPU times count too, because the code is
 * then warmed up.
 */
@Tag("ci")
class SideBySideIT {
  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void keyed_writesAndCompares_onlyReadAndChangedValues(Setting setting) throws Exception {
    Invoice invoice = Invoice.of(7, Trial.ALL ? 15_000 : 5_000);
    List<Result> results = new ArrayList<>();
    for (Contender contender : Contender.list(Trial.ALL)) {
      try (Trial trial = new Trial(setting, contender, invoice)) {
        results.add(trial.run());
      }
    }
    long bytes = invoice.json().getBytes(StandardCharsets.UTF_8).length;
    Report.add(setting.toString(), bytes, results);

    Result keyed = results.get(0);
    assertThat(keyed.small().statements()).isLessThanOrEqualTo(4);
    assertThat(keyed.deep().statements()).isLessThanOrEqualTo(5);
    assertThat(keyed.many().statements()).isLessThanOrEqualTo(3);
    for (Result other : results.stream().filter(r -> r.contender().isOther()).toList()) {
      for (Function<Result, Cost> changed :
          List.<Function<Result, Cost>>of(Result::small, Result::deep)) {
        assertTimes(100, keyed, other, changed, Cost::walBytes);
        assertTimes(100, keyed, other, changed, Cost::sentBytes);
        assertTimes(20, keyed, other, changed, Cost::allocatedBytes);
      }
      assertTimes(20, keyed, other, Result::untouched, Cost::allocatedBytes);
      if (Trial.ALL) {
        assertTimes(5, keyed, other, Result::untouched, Cost::cpuNanos);
      }
      if (other.contender().flush() != Flush.LOOKS) {
        assertTimes(20, keyed, other, Result::dirtyChecking, Cost::allocatedBytes);
        if (Trial.ALL) {
          assertTimes(5, keyed, other, Result::flush, Cost::cpuNanos);
        }
      }
      if (other.contender().flush() == Flush.SERIALIZES) {
        assertTimes(20, keyed, other, Result::flush, Cost::allocatedBytes);
      }
    }
  }

  /** Asserts that another contender's figure is at least this many times the library's. */
  private static void assertTimes(
      int times,
      Result keyed,
      Result other,
      Function<Result, Cost> what,
      ToLongFunction<Cost> figure) {
    assertThat(figure.applyAsLong(what.apply(other)))
        .as("%s, beside %s", other.contender().name(), figure.applyAsLong(what.apply(keyed)))
        .isGreaterThanOrEqualTo(times * figure.applyAsLong(what.apply(keyed)));
  }
}
