@NullMarked
package io.pgtoaster.benchmarks.report;

import org.jspecify.annotations.NullMarked;
