/** The contenders, with one interface each for blobs, documents and entities. */
@NullMarked
package io.pgtoaster.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
