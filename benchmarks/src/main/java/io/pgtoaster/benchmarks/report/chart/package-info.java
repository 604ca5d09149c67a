/** Answers to a question, and charts of them as SVG. */
@NullMarked
package io.pgtoaster.benchmarks.report.chart;

import org.jspecify.annotations.NullMarked;
