@NullMarked
package io.pgtoaster.benchmarks;

import org.jspecify.annotations.NullMarked;
