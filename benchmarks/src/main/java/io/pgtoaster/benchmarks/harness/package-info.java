/** The command line: runs cells and works on what came out. */
@NullMarked
package io.pgtoaster.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
