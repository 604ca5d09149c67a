/** Results as figures: medians with their ranges, metrics, numbers as text. */
@NullMarked
package io.pgtoaster.benchmarks.report.figure;

import org.jspecify.annotations.NullMarked;
