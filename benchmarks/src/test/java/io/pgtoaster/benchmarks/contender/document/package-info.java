@NullMarked
package io.pgtoaster.benchmarks.contender.document;

import org.jspecify.annotations.NullMarked;
