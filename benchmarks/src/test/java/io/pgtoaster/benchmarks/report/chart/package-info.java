/** Tests. */
@NullMarked
package io.pgtoaster.benchmarks.report.chart;

import org.jspecify.annotations.NullMarked;
