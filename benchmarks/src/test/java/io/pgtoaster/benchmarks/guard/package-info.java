@NullMarked
package io.pgtoaster.benchmarks.guard;

import org.jspecify.annotations.NullMarked;
