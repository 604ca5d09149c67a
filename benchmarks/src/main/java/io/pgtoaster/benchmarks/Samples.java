package io.pgtoaster.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one contender reached, round by round.
 *
 * @param values in the order of the rounds
 */
record Samples(List<Double> values) {
  Samples {
    values = List.copyOf(values);
  }

  static Samples of(double... values) {
    return new Samples(Arrays.stream(values).boxed().toList());
  }

  double median() {
    return at(values.size() / 2);
  }

  double min() {
    return at(0);
  }

  double max() {
    return at(values.size() - 1);
  }

  /** Round by round in relation to another contender. */
  Samples over(Samples other) {
    return new Samples(
        IntStream.range(0, Math.min(values.size(), other.values.size()))
            .mapToObj(i -> values.get(i) / other.values.get(i))
            .toList());
  }

  private double at(int index) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[index];
  }
}
