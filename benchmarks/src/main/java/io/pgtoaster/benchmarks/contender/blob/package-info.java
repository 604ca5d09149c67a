/** Contenders that store bytes: this library, bytea, large objects, and plain tables. */
@NullMarked
package io.pgtoaster.benchmarks.contender.blob;

import org.jspecify.annotations.NullMarked;
