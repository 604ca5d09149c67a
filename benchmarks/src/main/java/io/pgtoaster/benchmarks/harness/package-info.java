/** The command line: runs cells and processes the results. */
@NullMarked
package io.pgtoaster.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
