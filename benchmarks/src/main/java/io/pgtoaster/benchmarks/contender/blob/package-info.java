/** Who stores bytes: this library, bytea, large objects, Postgres Pro, and tables without more. */
@NullMarked
package io.pgtoaster.benchmarks.contender.blob;

import org.jspecify.annotations.NullMarked;
