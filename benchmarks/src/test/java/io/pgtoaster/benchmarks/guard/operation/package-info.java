@NullMarked
package io.pgtoaster.benchmarks.guard.operation;

import org.jspecify.annotations.NullMarked;
