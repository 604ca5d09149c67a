package io.pgtoaster.benchmarks.report.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where a value lies along an axis.
 *
 * @param low the least value
 * @param high the largest
 * @param log whether equal distances are equal ratios
 * @param from position of the least
 * @param to position of the largest
 */
record Scale(double low, double high, boolean log, double from, double to) {
  private static final double SPAN = 20;
  private static final double MOST_STEPS = 5.001;

  /** One that has all values, on a log axis if they are far from each other. */
  static Scale of(double[] values, double from, double to) {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (double v : values) {
      if (v > 0) {
        least = Math.min(least, v);
        most = Math.max(most, v);
      }
    }
    if (most <= 0) {
      return new Scale(0, 1, false, from, to);
    }
    if (most / least < SPAN) {
      double step = step(most);
      return new Scale(0, Math.ceil(most / step - 1e-9) * step, false, from, to);
    }
    return new Scale(floor(least), ceiling(most), true, from, to);
  }

  /** One from the least to the largest value exactly. */
  static Scale exact(double[] values, double from, double to) {
    double least = Arrays.stream(values).min().orElse(0);
    double most = Arrays.stream(values).max().orElse(1);
    return new Scale(least, most, least > 0 && most / least >= 8, from, to);
  }

  private static double floor(double value) {
    return Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
  }

  private static double ceiling(double value) {
    return Math.pow(10, Math.ceil(Math.log10(value) - 1e-9));
  }

  /** A round distance, of which few make up a value. */
  private static double step(double value) {
    double power = floor(value) / 10;
    for (double step : new double[] {1, 2, 2.5, 5, 10, 20}) {
      if (value / (step * power) <= MOST_STEPS) {
        return step * power;
      }
    }
    return 20 * power;
  }

  double at(double value) {
    if (high <= low) {
      return (from + to) / 2;
    }
    double share =
        log
            ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
            : (value - low) / (high - low);
    return from + share * (to - from);
  }

  /** Where lines are drawn across. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (!log) {
      double step = step(high);
      for (int i = 0; i * step <= high * 1.0001; i++) {
        ticks.add(i * step);
      }
      return ticks;
    }
    int decades = (int) Math.round(Math.log10(high / low));
    double step = decades > 6 ? 100 : 10;
    for (double tick = low; tick <= high * 1.0001; tick *= step) {
      ticks.add(tick);
    }
    return ticks;
  }
}
