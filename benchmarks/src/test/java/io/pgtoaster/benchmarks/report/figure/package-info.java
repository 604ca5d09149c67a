@NullMarked
package io.pgtoaster.benchmarks.report.figure;

import org.jspecify.annotations.NullMarked;
