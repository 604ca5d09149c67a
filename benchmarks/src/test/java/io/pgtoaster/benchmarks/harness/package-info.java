@NullMarked
package io.pgtoaster.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
