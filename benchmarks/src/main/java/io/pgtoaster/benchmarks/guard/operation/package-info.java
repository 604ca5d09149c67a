/** The counted operations on blobs, documents and entities. */
@NullMarked
package io.pgtoaster.benchmarks.guard.operation;

import org.jspecify.annotations.NullMarked;
