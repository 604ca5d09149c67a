/** Results: reads the files, and writes charts, pages and comparisons. */
@NullMarked
package io.pgtoaster.benchmarks.report;

import org.jspecify.annotations.NullMarked;
