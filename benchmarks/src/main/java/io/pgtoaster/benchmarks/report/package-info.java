/** What came out: figures read from files, charts, pages, comparisons. */
@NullMarked
package io.pgtoaster.benchmarks.report;

import org.jspecify.annotations.NullMarked;
