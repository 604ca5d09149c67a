@NullMarked
package io.pgtoaster.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
