/** The questions, and the page with their answers. */
@NullMarked
package io.pgtoaster.benchmarks.report;

import org.jspecify.annotations.NullMarked;
