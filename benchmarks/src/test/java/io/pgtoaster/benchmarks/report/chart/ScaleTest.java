package io.pgtoaster.benchmarks.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ScaleTest {
  @Test
  void valuesOfSeveralDecades_lieOnALogAxis() {
    Scale scale = Scale.of(new double[] {3, 2000}, 0, 100);

    assertThat(scale.log()).isTrue();
    assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1000.0, 10_000.0);
    assertThat(scale.at(100)).isCloseTo(50, within(1e-9));
  }

  @Test
  void valuesNearEachOther_lieOnALinearAxisFromZero() {
    Scale scale = Scale.of(new double[] {70, 130}, 100, 0);

    assertThat(scale.log()).isFalse();
    assertThat(scale.at(0)).isEqualTo(100);
    assertThat(scale.at(130)).isBetween(0.0, 20.0);
  }

  @Test
  void oneValue_liesInTheMiddle() {
    assertThat(Scale.exact(new double[] {16}, 0, 10).at(16)).isEqualTo(5);
  }

  @Test
  void noValues_stillMakeAnAxis() {
    assertThat(Scale.of(new double[] {0}, 0, 10).ticks()).isNotEmpty();
  }
}
