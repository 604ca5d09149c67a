@NullMarked
package io.pgtoaster.benchmarks.trial;

import org.jspecify.annotations.NullMarked;
