/** The operations that are counted: what is done with blobs, documents, entities. */
@NullMarked
package io.pgtoaster.benchmarks.guard.operation;

import org.jspecify.annotations.NullMarked;
